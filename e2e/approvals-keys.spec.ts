import { expectAccessible } from "./accessible.ts";
import { expect, run, signIn, test } from "./gateway.ts";

test("W3 W11 the queue is cleared from the keyboard: run, edit, refuse, and a second key for danger", async ({
  page,
  gateway,
}) => {
  await signIn(page, gateway);
  const agent = await gateway.connectAgent("builder");
  await page.goto(`${gateway.url}/approvals`);
  const queue = page.getByRole("list", { name: "Waiting for you" }).getByRole("button");
  const unknown = run(agent, "invented-tool --check");
  await expect(queue).toHaveCount(1);
  const edited = run(agent, "invented-tool --all");
  await expect(queue).toHaveCount(2);
  const dangerous = run(agent, "rm -r no-such-folder");
  await expect(queue).toHaveCount(3);

  await page.keyboard.press("?");
  await expect(page.getByRole("dialog", { name: "Keys" })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toBeHidden();

  // Edit the second one.
  await page.getByRole("heading", { name: "Approvals" }).click();
  await page.keyboard.press("j");
  await expect(queue.nth(1)).toHaveAttribute("aria-current", "true");
  await page.keyboard.press("e");
  await page.getByLabel("Run this instead").fill("echo instead");
  await expect(page.locator("ins")).toContainText("echo instead");
  await expect(page.getByText("The policy would let this run without asking.")).toBeVisible();
  await page.keyboard.press("Control+Enter");
  expect((await edited).structuredContent).toMatchObject({ output: "instead", exit_code: 0 });

  // The dangerous one is now first; one key is not enough, and Esc cancels.
  await expect(queue).toHaveCount(2);
  await expect(page.getByRole("button", { name: "Run once" })).toBeEnabled();
  await page.keyboard.press("a");
  await expect(page.getByText("What it removes goes to the trash.")).toBeVisible();
  await page.keyboard.press("Escape");
  await page.keyboard.press("d");
  await page.getByLabel("Message to the agent").fill("Keep it, we still need it.");
  await page.keyboard.press("Enter");
  expect((await dangerous).structuredContent).toMatchObject({ security_blocked: true });
  expect(JSON.stringify((await dangerous).structuredContent)).toContain("Keep it, we still need it.");

  await expect(queue).toHaveCount(1);
  await expect(page.getByRole("button", { name: "Run once" })).toBeEnabled();
  await page.keyboard.press("a");
  await expect(page.getByText("Nothing is waiting for you")).toBeVisible();
  expect((await unknown).structuredContent).toMatchObject({ exit_code: 127 });
  await agent.close();
});

test("W3 a key pressed just as a new question appears does not answer it", async ({ page, gateway }) => {
  // Keeps the delay for keys running until the test ends it.
  await page.addInitScript(() => {
    const setRealTimeout = window.setTimeout;
    const held: (() => void)[] = [];
    const setHeldTimeout = (act: () => void, ms?: number) => (ms === 700 ? held.push(act) : setRealTimeout(act, ms));
    Object.assign(window, { setTimeout: setHeldTimeout, letGo: () => held.splice(0).forEach((act) => void act()) });
  });
  await signIn(page, gateway);
  await page.goto(`${gateway.url}/approvals`);
  await expect(page.getByText("Nothing is waiting for you")).toBeVisible();
  const shownAt = await page.evaluate(() => performance.now());
  const agent = await gateway.connectAgent("builder");

  const reply = run(agent, "invented-tool --check");
  const button = page.getByRole("button", { name: "Run once" });
  await expect(button).toBeDisabled();
  await page.keyboard.press("a");
  await page.evaluate("letGo()");
  await expect(button).toBeEnabled();
  const asks = page.getByRole("region", { name: "builder asks" });
  // No deliberate action in this page yet: typing answers nothing, no matter for how long.
  await page.keyboard.type("a may day play, yes, a y");
  await expect(asks).toBeVisible();
  // A click right after the page appeared counts as meant for what was there before.
  await page.waitForFunction((from) => performance.now() - from >= 700, shownAt);
  await page.getByRole("heading", { name: "Approvals" }).click();
  await page.keyboard.press("a");

  await expect(page.getByText("Nothing is waiting for you")).toBeVisible();
  expect((await reply).structuredContent).toMatchObject({ exit_code: 127 });
  await agent.close();
});

test("W3 W11 a batch: similar questions are answered with one key, dangerous ones are left out", async ({
  page,
  gateway,
}) => {
  await signIn(page, gateway);
  await page.goto(`${gateway.url}/approvals`);
  const queue = page.getByRole("list", { name: "Waiting for you" }).getByRole("button");
  const agent = await gateway.connectAgent("builder");
  const replies = [];
  for (const [index, command] of [
    "invented-tool --one",
    "rm -r no-such-folder",
    "invented-tool --two",
    "invented-tool --one",
  ].entries()) {
    replies.push(run(agent, command));
    await expect(queue).toHaveCount(index + 1);
  }
  await expect(queue.nth(1)).toContainText("the same again");

  await page.getByRole("heading", { name: "Approvals" }).click();
  await page.keyboard.press("s");
  const bulkAnswer = page.getByRole("region", { name: "3 selected" });
  await expect(bulkAnswer).toContainText("×2");
  await expectAccessible(page);
  await page.keyboard.press("Escape");
  for (let step = 0; step < 3; step += 1) await page.keyboard.press("Shift+J");
  await expect(page.getByRole("region", { name: "4 selected" })).toContainText("1 left out");
  await page.getByRole("heading", { name: "Approvals" }).click();
  await page.keyboard.press("y");

  await expect(queue).toHaveCount(1);
  await expect(queue.first()).toContainText("rm -r no-such-folder");
  await page.getByRole("button", { name: "Refuse" }).click();
  await page.keyboard.press("Enter");
  await Promise.all(replies);
  await agent.close();
});
