import type { Page } from "@playwright/test";
import { expectAccessible } from "./accessible.ts";
import { expect, type GatewayProcess, run, signIn, test } from "./gateway.ts";

type Agent = Awaited<ReturnType<GatewayProcess["connectAgent"]>>;

test("W4 X7 one draft as form and text is tried live, replayed, saved with a comment, and rolled back", async ({
  page,
  gateway,
}) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await signIn(page, gateway);
  const agent = await gateway.connectAgent("builder");
  await run(agent, "pwd");
  await refuse(page, gateway, agent, "invented-tool --wipe");
  await page.getByRole("link", { name: "Policy" }).click();
  await expect(page.getByRole("heading", { name: "Policy", level: 1 })).toBeVisible();
  await expectAccessible(page);

  // First in the form, then in the text of the same draft.
  await page.getByRole("button", { name: "Add a rule" }).click();
  const rules = page.getByRole("region", { name: "Rules" });
  await rules.getByLabel("Program, one on each line").last().fill("invented-tool");
  await rules.locator("details").last().getByText("allow", { exact: true }).click();
  await expect(page.getByText("Not saved yet")).toBeVisible();
  const tryIt = page.getByRole("region", { name: "Try it" });
  await tryIt.getByLabel("A command").fill("invented-tool --wipe");
  await expect(tryIt.getByRole("status")).toContainText("Runs");
  await expect(tryIt.getByRole("list", { name: "Layers, in order" })).toContainText(
    "A rule of this team. new-rule· decides",
  );
  await expect(tryIt.locator("mark")).toHaveText("invented-tool --wipe");
  await tryIt.getByRole("button", { name: "Must fire on it" }).click();
  await show(page, "Text");
  const editor = page.getByRole("textbox", { name: "The policy as text" });
  await expect(editor).toContainText('"match": [');
  await expectAccessible(page);

  // An invalid value is marked in place, and cannot be saved.
  await editor.click();
  await page.keyboard.press("Control+End");
  await page.keyboard.type(" x");
  await expect(page.getByText("1 problem")).toBeVisible();
  await expect(page.locator(".cm-lint-marker-error")).toHaveCount(1);
  await page.getByRole("button", { name: "Review and save" }).click();
  await expect(page.getByRole("button", { name: "Save the policy" })).toBeDisabled();
  await show(page, "Text");
  await editor.click();
  await page.keyboard.press("Control+End");
  await page.keyboard.press("Backspace");
  await page.keyboard.press("Backspace");
  await expect(page.getByText("Not saved yet")).toBeVisible();

  await page.getByRole("button", { name: "Review and save" }).click();
  await expect(page.getByText("Of the last 2 commands, 1 change: 1 ask → allow.")).toBeVisible();
  await expect(page.getByRole("alert").filter({ hasText: "A command that was refused" })).toContainText(
    "invented-tool --wipe",
  );
  await expect(page.getByText("All 1 hold.")).toBeVisible();
  await expectAccessible(page);
  await page.getByLabel("Comment").fill("We trust this tool.");
  await page.getByRole("button", { name: "Save the policy" }).click();
  await expect(page.getByText("Saved. The new policy is in force.")).toBeVisible();
  expect((await run(agent, "invented-tool --wipe")).structuredContent).toMatchObject({ exit_code: 127 });

  await show(page, "Versions");
  const versions = page.getByRole("list", { name: "Versions, newest first" }).getByRole("button");
  await expect(versions.first()).toContainText("You: We trust this tool.");
  await expectAccessible(page);
  await versions.nth(1).click();
  await page.getByRole("button", { name: "Roll back to version 1" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Roll back" }).click();
  await expect(versions).toHaveCount(3);
  const asking = run(agent, "invented-tool --wipe");
  await expect(page.getByRole("link", { name: /Approvals\s*1/ })).toBeVisible();
  await gateway.freeze();
  await Promise.all([agent.close(), asking.catch(() => {})]);
});

test("W4 completion, hints and formatting come from the schema, and the keyboard can leave the editor", async ({
  page,
  gateway,
}) => {
  await signIn(page, gateway);
  await page.goto(`${gateway.url}/policy?view=text`);
  const editor = page.getByRole("textbox", { name: "The policy as text" });
  await editor.click();
  await page.keyboard.press("Control+a");
  await page.keyboard.type("{ ");
  await page.keyboard.type('"rewr');
  const suggestion = page.getByRole("option", { name: '"rewrites"' });
  await expect(suggestion).toBeVisible();
  await expect(page.locator(".cm-completionInfo")).toContainText("A download piped into a shell");
  await page.keyboard.press("Enter");
  await page.keyboard.type("off");
  await expect(page.getByText("Not saved yet")).toBeVisible();
  await editor.getByText("rewrites").hover();
  await expect(page.locator(".cm-tooltip-hint")).toContainText("Default: offer");
  await page.getByRole("button", { name: "Format" }).click();
  await expect(editor.locator(".cm-line").nth(1)).toHaveText('  "rewrites": "off"');

  await editor.focus();
  await page.keyboard.press("Escape");
  await page.keyboard.press("Tab");
  await expect(editor).not.toBeFocused();
  await show(page, "Form");
  const rewrites = page.getByRole("region", { name: "Rewrites" });
  await expect(rewrites.getByRole("radio", { name: "off", exact: true })).toBeChecked();
  await rewrites.getByRole("button", { name: "Use the default" }).click();
  await expect(rewrites.getByRole("radio", { name: "offer" })).toBeChecked();
});

test("W4 a conflicting save by another person shows both sides, and nothing is lost", async ({
  page,
  gateway,
  browser,
}) => {
  await signIn(page, gateway);
  await page.goto(`${gateway.url}/policy`);
  await page.getByRole("region", { name: "Pagers" }).getByRole("switch", { name: "Pagers" }).click();
  await page.getByRole("region", { name: "Rewrites" }).getByText("run", { exact: true }).click();
  await expect(page.getByText("Not saved yet")).toBeVisible();
  const other = await (await browser.newContext()).newPage();
  await signIn(other, gateway);
  await other.goto(`${gateway.url}/policy`);
  await other.getByRole("region", { name: "Rewrites" }).getByText("off", { exact: true }).click();
  await other.getByRole("region", { name: "Approval" }).getByRole("switch", { name: "Tell names" }).click();
  await other.getByRole("button", { name: "Review and save" }).click();
  await other.getByRole("button", { name: "Save the policy" }).click();
  await expect(other.getByText("Saved. The new policy is in force.")).toBeVisible();

  const merge = page.getByRole("region", { name: "Merge" });
  await expect(merge).toContainText("A new version came into force while you were editing.");
  await expect(merge.getByLabel("In force")).toContainText('"rewrites": "off"');
  await expect(merge.getByLabel("Your draft")).toContainText('"pagers": true');
  await expectAccessible(page);
  // What only they changed is in the draft; where both changed the same setting, one of them is chosen.
  await expect(merge.getByLabel("Your draft")).toContainText('"tellNames": true');
  const both = merge.getByRole("list", { name: "Changed by both" });
  await expect(both).toContainText("rewrites was not set");
  await expect(merge.getByRole("button", { name: "Go on with the right side" })).toBeDisabled();
  await both.getByText("Take theirs").click();
  await expect(merge.getByLabel("Your draft")).toContainText('"rewrites": "off"');
  await merge.getByRole("button", { name: "Go on with the right side" }).click();
  await expect(merge).toBeHidden();
  await page.getByRole("button", { name: "Review and save" }).click();
  await page.getByRole("button", { name: "Save the policy" }).click();
  await expect(page.getByText("Saved. The new policy is in force.")).toBeVisible();
  const saved = JSON.parse(await gateway.cli("policy", "versions", "--json")) as { text: string }[];
  expect(JSON.parse(saved[0]?.text ?? "")).toMatchObject({
    pagers: true,
    rewrites: "off",
    approval: { tellNames: true },
  });
});

for (const [name, viewport] of [
  ["a phone", { width: 390, height: 844 }],
  ["a phone on its side", { width: 844, height: 390 }],
] as const) {
  test(`W4 W11 a viewer reads the policy and tries commands on ${name}, and is offered nothing else`, async ({
    page,
    gateway,
  }) => {
    await page.setViewportSize(viewport);
    const vera = await gateway.addPerson("Vera", "viewer");
    await signIn(page, gateway, vera);
    await page.getByRole("button", { name: "More" }).click();
    await expect(page.getByRole("link", { name: "Fewer questions" })).toHaveCount(0);
    await page.getByRole("link", { name: "Policy" }).click();
    await expect(page.getByText("Only admins can change the policy.")).toBeVisible();
    await expect(page.getByRole("button", { name: "Add a rule" })).toHaveCount(0);
    await expectAccessible(page);
    await show(page, "Try it");
    await page.getByLabel("A command").fill("rm -r no-such-folder");
    await expect(page.getByRole("region", { name: "Try it" }).getByRole("status")).toContainText("Asks a person");
    await expectAccessible(page);
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true);
    // A link to a page for others says so at once.
    await page.goto(`${gateway.url}/audit`);
    await expect(page.getByText("This page needs the role operator. Ask an admin for it.")).toBeVisible();
  });
}

test("W12 X11 fewer questions: a suggestion is accepted, another changed, a third never shown again", async ({
  page,
  gateway,
}) => {
  await signIn(page, gateway);
  const agent = await gateway.connectAgent("builder");
  for (const command of ["invented-tool --check", "other-tool", "third-tool"])
    await approve(page, gateway, agent, command);
  await page.getByRole("link", { name: "Fewer questions" }).click();
  await expect(
    page.getByText("Asked 3 times: 3 approved, 0 refused. These 3 suggestions would have saved 3 of them."),
  ).toBeVisible();
  const cards = page.getByRole("list", { name: "Suggested rules" }).locator("> li");
  await cards
    .first()
    .getByText(/^Withstands \d+ known ways/)
    .click();
  await expectAccessible(page);

  await cards.filter({ hasText: "invented-tool" }).getByRole("button", { name: "Accept" }).click();
  await expect(page.getByText("Added to the policy.")).toBeVisible();
  await expect(cards).toHaveCount(2);
  expect((await run(agent, "invented-tool --check")).structuredContent).toMatchObject({ exit_code: 127 });
  await cards.filter({ hasText: "third-tool" }).getByRole("button", { name: "Never suggest again" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Never suggest it" }).click();
  await expect(cards).toHaveCount(1);
  await cards.first().getByRole("button", { name: "Change" }).click();
  await expect(page).toHaveURL(/\/policy\?view=form/);
  await expect(page.getByRole("region", { name: "Rules" })).toContainText("allow-other-tool");
  await expect(page.getByText("Not saved yet")).toBeVisible();
  await agent.close();
});

async function refuse(page: Page, gateway: GatewayProcess, agent: Agent, command: string) {
  const reply = run(agent, command);
  await page.goto(`${gateway.url}/approvals`);
  await page.getByRole("button", { name: "Refuse" }).click();
  await page.keyboard.press("Enter");
  await reply;
}

async function approve(page: Page, gateway: GatewayProcess, agent: Agent, command: string) {
  const reply = run(agent, command);
  await page.goto(`${gateway.url}/approvals`);
  await page.getByRole("button", { name: "Run once" }).click();
  await reply;
}

/** Chooses a view; there is one row of them for wide windows and one for narrow. */
async function show(page: Page, view: string) {
  await page.getByRole("main").locator("label", { hasText: view }).filter({ visible: true }).first().click();
}
