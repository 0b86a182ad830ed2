import { expectAccessible } from "./accessible.ts";
import { call, expect, run, signIn, test } from "./gateway.ts";

test("W3 always: an operator proposes the rule that was shown, an admin accepts it, and the question does not come again", async ({
  page,
  gateway,
  browser,
}) => {
  const operator = await gateway.addPerson("Olga", "operator");
  await signIn(page, gateway, operator);
  const agent = await gateway.connectAgent("builder");
  const reply = run(agent, "invented-tool --check");

  await page.getByRole("link", { name: /Approvals\s*1/ }).click();
  await page.getByText("Always", { exact: true }).click();
  await expect(page.getByText("these rules are proposed to an admin")).toBeVisible();
  await expect(page.getByText("exactly this, and nothing else")).toBeVisible();
  await page.getByRole("button", { name: "Run, and always" }).click();
  expect((await reply).structuredContent).toMatchObject({ exit_code: 127 });
  await expect(page.getByRole("region", { name: "Proposed rules" })).toContainText("invented-tool --check");
  await expect(page.getByRole("button", { name: "Accept" })).toBeHidden();

  const adminPage = await (await browser.newContext()).newPage();
  await signIn(adminPage, gateway);
  await adminPage.goto(`${gateway.url}/approvals`);
  await adminPage.getByRole("button", { name: "Accept" }).click();
  await expect(adminPage.getByRole("region", { name: "Proposed rules" })).toBeHidden();
  await expect(page.getByRole("region", { name: "Proposed rules" })).toBeHidden();

  expect((await run(agent, "invented-tool --check")).structuredContent).toMatchObject({ exit_code: 127 });
  await agent.close();
});

test("W3 two people on one approval: one answers, and the other sees it leave the queue with a notice", async ({
  page,
  gateway,
  browser,
}) => {
  const olga = await gateway.addPerson("Olga", "operator");
  const viewer = await gateway.addPerson("Vera", "viewer");
  const agent = await gateway.connectAgent("builder");
  const open = async (person?: typeof olga) => {
    const own = await (await browser.newContext()).newPage();
    await signIn(own, gateway, person);
    await own.goto(`${gateway.url}/approvals`);
    return own;
  };
  const [others, watching] = [await open(olga), await open(viewer)];
  await signIn(page, gateway);
  await page.goto(`${gateway.url}/approvals`);
  const reply = run(agent, "invented-tool --check");

  await expect(watching.getByText("The policy requires the role operator or admin to answer this.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Run once" })).toBeEnabled();
  await others.getByRole("button", { name: "Run once" }).click();

  for (const each of [page, others, watching]) await expect(each.getByText("Nothing is waiting for you")).toBeVisible();
  await expect(page.getByText("Olga approved what builder asked.")).toBeVisible();
  expect((await reply).structuredContent).toMatchObject({ exit_code: 127 });
  await agent.close();
});

test("W3 W9 nothing of a frozen agent runs, and where the policy says so, its owner can only refuse", async ({
  page,
  gateway,
}) => {
  await signIn(page, gateway);
  const agent = await gateway.connectAgent("builder");
  const reply = run(agent, "invented-tool --check");
  await page.goto(`${gateway.url}/approvals`);
  await expect(page.getByRole("button", { name: "Run once" })).toBeEnabled();

  await page.getByRole("button", { name: "Freeze all" }).click();
  await expect(page.getByText("Its agent is frozen, so it can’t run.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Run once" })).toBeDisabled();
  await page.getByRole("button", { name: "Release all" }).click();
  await page.getByRole("button", { name: "Release them" }).click();
  await page.getByRole("button", { name: "Run once" }).click();

  await expect(page.getByRole("region", { name: "Your last answer" })).toContainText("Ran: exit 127");
  expect((await reply).structuredContent).toMatchObject({ exit_code: 127 });

  // Under this policy the agent's owner may only refuse: no button and no key runs it.
  await page.goto(`${gateway.url}/policy`);
  await page.getByRole("region", { name: "Approval" }).getByText("refuse-only", { exact: true }).click();
  await page.getByRole("button", { name: "Review and save" }).click();
  await page.getByRole("button", { name: "Save the policy" }).click();
  await expect(page.getByText("Saved. The new policy is in force.")).toBeVisible();
  const { token } = (await call(page, gateway, "agents.add", { name: "mine" })) as { token: string };
  const mine = await gateway.connect("mine", token);
  const refused = run(mine, "invented-tool --mine");
  await page.goto(`${gateway.url}/approvals`);
  const asks = page.getByRole("region", { name: "mine asks" });
  await expect(asks).toContainText(
    "This agent acts for you, and the policy requires another person to approve for it.",
  );
  await expect(asks.getByRole("button", { name: /^Refuse/ })).toBeEnabled();
  await expect(asks.getByRole("button", { name: /^(Run|Edit)/ })).toHaveCount(0);
  await page.getByRole("heading", { name: "Approvals" }).click();
  await page.keyboard.press("a");
  await page.keyboard.press("e");
  await expectAccessible(page);
  await page.keyboard.press("d");
  await page.getByLabel("Message to the agent").fill("Ask somebody else.");
  await page.keyboard.press("Enter");
  expect((await refused).structuredContent).toMatchObject({ security_blocked: true });
  await Promise.all([agent.close(), mine.close()]);
});
