import { expectAccessible } from "./accessible.ts";
import { ADMIN, call, expect, openTerminal, readToTheEnd, run, signIn, test } from "./gateway.ts";

test("W3 a person sees what waits, why and what it really runs, and approves it", async ({ page, gateway }) => {
  await signIn(page, gateway);
  const agent = await gateway.connectAgent("builder");
  await run(agent, "echo something before");
  const reply = run(agent, "bash -c 'touch built && rm -r built' && echo remo\u200bved");

  await page.getByRole("link", { name: /Approvals\s*1/ }).click();
  const asks = page.getByRole("region", { name: "builder asks" });
  await expect(asks.locator("mark", { hasText: "rm -r built" })).toBeVisible();
  await expect(asks.getByText("<U+200B>").first()).toBeVisible();
  await expect(asks.getByText("Deletes files.")).toBeVisible();
  await expect(asks.getByRole("listitem").filter({ hasText: /^touch built$/ })).toBeVisible();
  await expect(asks.locator("pre")).toContainText("something before");
  await asks.getByRole("button", { name: "Run once" }).click();
  await asks.getByRole("button", { name: "Yes, run it" }).click();

  await expect(page.getByText("Nothing is waiting for you")).toBeVisible();
  expect((await reply).structuredContent).toMatchObject({ exit_code: 0 });
  await agent.close();
});

test("W3 a yes to what its agent may no longer do says that nothing runs, and why", async ({ page, gateway }) => {
  await signIn(page, gateway);
  const agent = await gateway.connectAgent("builder");
  const reply = run(agent, "invented-tool --check");
  await page.getByRole("link", { name: /Approvals\s*1/ }).click();
  const approve = page.getByRole("button", { name: "Run once" });
  await expect(approve).toBeVisible();

  await call(page, gateway, "agents.update", { name: "builder", profile: "restricted" });
  await approve.click();

  await expect(page.getByText(/builder no longer waits: .*"restricted" runs nothing/)).toBeVisible();
  await expect(page.getByText("Nothing is waiting for you")).toBeVisible();
  expect((await reply).isError).toBe(true);
  await agent.close();
});

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
  await page.getByRole("heading", { name: "Approvals" }).click();
  await page.keyboard.press("a");

  await expect(page.getByText("Nothing is waiting for you")).toBeVisible();
  expect((await reply).structuredContent).toMatchObject({ exit_code: 127 });
  await agent.close();
});

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

test("row 14 a long command is folded, its programs are listed first, and Run is disabled until all of it was seen", async ({
  page,
  gateway,
}) => {
  await signIn(page, gateway);
  const agent = await gateway.connectAgent("builder");
  const parts = Array.from({ length: 60 }, (_, index) => `echo step ${index}`).join("; ");
  const reply = run(agent, `${parts}${"\n".repeat(200)}${"# all is well\n".repeat(80)}invented-tool --wipe`);
  await page.goto(`${gateway.url}/approvals`);
  const asks = page.getByRole("region", { name: "builder asks" });

  await expect(asks.getByText("199 empty lines")).toBeVisible();
  await expect(asks.getByText("80 lines of comments")).toBeVisible();
  await expect(asks.getByRole("button", { name: "Run once" })).toBeDisabled();
  await expect(asks.getByText("Read all of it first")).toBeVisible();
  const more = asks.getByRole("button", { name: /^There is more below/ });
  await expect(more.first()).toHaveText(/\d+ more lines/);
  await readToTheEnd(asks);
  await expect(
    asks.getByRole("region", { name: "What actually runs" }).getByText("invented-tool --wipe"),
  ).toBeInViewport();
  await expect(asks.getByRole("button", { name: "Run once" })).toBeEnabled();
  await asks.getByRole("button", { name: "Refuse" }).click();
  await page.keyboard.press("Enter");
  await reply;
  await agent.close();
});

test("row 10 the content of a script is shown before it is approved", async ({ page, gateway }) => {
  await signIn(page, gateway);
  const agent = await gateway.connectAgent("builder");
  const writing = run(agent, "echo 'echo from the script; invented-tool' > greet.sh");
  await page.goto(`${gateway.url}/approvals`);
  await writing;
  const reply = run(agent, "bash greet.sh");
  const asks = page.getByRole("region", { name: "builder asks" });

  await expect(asks.getByRole("region", { name: /^Content of .*greet\.sh$/ })).toContainText("echo from the script");
  await asks.getByRole("button", { name: "Run once" }).click();

  expect((await reply).structuredContent).toMatchObject({ output: expect.stringContaining("from the script") });
  await agent.close();
});

test("W3 editing into something dangerous takes the second key, and into something forbidden is refused", async ({
  page,
  gateway,
}) => {
  await signIn(page, gateway);
  const agent = await gateway.connectAgent("builder");
  const reply = run(agent, "invented-tool --check");
  await page.goto(`${gateway.url}/approvals`);
  await expect(page.getByRole("region", { name: "builder asks" })).toBeVisible();
  await page.getByRole("button", { name: "Edit" }).click();

  await page.getByLabel("Run this instead").fill("curl http://127.0.0.1:9/x | sh");
  await expect(page.getByText("This can’t run:")).toBeVisible();
  await expect(page.getByRole("button", { name: "Run the edited command" })).toBeDisabled();
  await page.keyboard.press("Control+Enter");
  await page.getByLabel("Run this instead").fill("rm -r no-such-folder");
  await expect(page.getByRole("button", { name: "Run the edited command" })).toBeEnabled();
  await page.keyboard.press("Control+Enter");
  await expect(page.getByText("What it removes goes to the trash.")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByLabel("Run this instead")).toHaveValue("rm -r no-such-folder");
  await page.getByRole("button", { name: "Run the edited command" }).click();
  await page.keyboard.press("y");

  const answer = page.getByRole("region", { name: "Your last answer" });
  await expect(answer).toContainText("Ran: exit 1");
  await expect(answer).toContainText("No such file or directory");
  expect((await reply).structuredContent).toMatchObject({ exit_code: 1 });
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

test("W3 W10 a link to a settled approval shows that one with its outcome, and nothing to press", async ({
  page,
  gateway,
  browser,
}) => {
  await signIn(page, gateway);
  const agent = await gateway.connectAgent("builder");
  const first = run(agent, "invented-tool --first");
  await page.goto(`${gateway.url}/approvals`);
  await page.getByRole("button", { name: "Run once" }).click();
  await first;
  await page.getByText("Answered lately").click();
  const link = page.getByRole("list", { name: "Answered lately" }).getByRole("link");
  await expect(link).toContainText("approved by You");
  const address = await link.getAttribute("href");
  const second = run(agent, "invented-tool --second");
  await expect(page.getByRole("link", { name: /Approvals\s*1/ })).toBeVisible();

  const other = await (await browser.newContext()).newPage();
  await other.goto(`${gateway.url}${address}`);
  await other.getByLabel("Email").fill(ADMIN.email);
  await other.getByLabel("Password").fill(ADMIN.password);
  await other.getByRole("button", { name: "Sign in" }).click();
  const settled = other.getByRole("region", { name: "builder asked" });
  await expect(settled).toContainText("invented-tool --first");
  await expect(settled).toContainText("Ran: exit 127");
  await expect(other.getByRole("button", { name: "Run once" })).toHaveCount(0);
  await expectAccessible(other);

  await page.getByRole("button", { name: "Run once" }).click();
  await second;
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

test("W2 W3 a command is approved in its terminal, and its output continues there", async ({ page, gateway }) => {
  await signIn(page, gateway);
  const agent = await gateway.connectAgent("builder");
  await run(agent, "echo before");
  const reply = run(agent, "invented-tool --check");
  await expect(page.getByRole("list", { name: /^Terminals/ })).toContainText("waiting for approval");
  const screen = await openTerminal(page);

  const waiting = page.getByRole("region", { name: "Waiting for approval" });
  await expect(waiting).toContainText("invented-tool --check");
  await expectAccessible(page);
  await waiting.getByRole("button", { name: "Run once" }).click();

  await expect(waiting).toBeHidden();
  await expect(screen).toContainText("invented-tool: command not found");
  await reply;
  await agent.close();
});

for (const [name, viewport] of [
  ["a phone on its side", { width: 844, height: 390 }],
  ["a phone", { width: 390, height: 844 }],
] as const) {
  test(`W11 on ${name} the answer buttons cover nothing, and several questions form a list`, async ({
    page,
    gateway,
  }) => {
    await page.setViewportSize(viewport);
    await signIn(page, gateway);
    const agent = await gateway.connectAgent("builder");
    const first = run(agent, "invented-tool --one");
    await page.goto(`${gateway.url}/approvals`);
    await expect(page.getByRole("region", { name: "builder asks" })).toBeVisible();
    const command = page.getByRole("region", { name: "The command" });
    const covers = async () => {
      const text = await command.boundingBox();
      const bar = await page.getByRole("button", { name: "Run once" }).boundingBox();
      return text && bar ? bar.y < text.y + text.height : true;
    };
    await expect.poll(covers).toBe(false);

    const second = run(agent, "invented-tool --two");
    const rows = page.getByRole("list", { name: "Waiting for you" }).getByRole("button");
    const all = page.getByRole("button", { name: "All 2" });
    await expect(async () => {
      if (await all.isVisible()) await all.click({ timeout: 1000 });
      expect(await rows.count()).toBe(2);
    }).toPass();
    await rows.filter({ hasText: "--two" }).click();
    await expect(page.getByText("2 of 2")).toBeVisible();
    await page.getByRole("button", { name: "Run once" }).click();
    await second;
    await expect(page.getByRole("region", { name: "Your last answer" })).toContainText("exit 127");
    await gateway.cli("freeze");
    await Promise.all([agent.close(), first.catch(() => {})]);
  });
}

test("W3 W11 the shown question is in the address: a reload shows it again, and a phone’s back button the list", async ({
  page,
  gateway,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await signIn(page, gateway);
  const agent = await gateway.connectAgent("builder");
  const replies = [run(agent, "invented-tool --one"), run(agent, "invented-tool --two")];
  await page.goto(`${gateway.url}/approvals`);
  const rows = page.getByRole("list", { name: "Waiting for you" }).getByRole("button");
  await expect(rows).toHaveCount(2);
  await rows.filter({ hasText: "--two" }).click();
  const question = page.getByRole("region", { name: "builder asks" });
  await expect(question).toContainText("--two");
  await expect(page).toHaveURL(/\/approvals\?id=apr-/);

  await page.reload();
  await expect(question).toContainText("--two");
  await page.goBack();
  await expect(rows.filter({ hasText: "--one" })).toBeVisible();
  await expect(question).toBeHidden();
  await expect(page).toHaveURL(/\/approvals$/);

  // What was answered leaves the address.
  await rows.filter({ hasText: "--one" }).click();
  const first = page.url();
  await page.getByRole("button", { name: "Run once" }).click();
  await expect(question).toContainText("--two");
  await expect(page).not.toHaveURL(first);
  await page.getByRole("button", { name: "Run once" }).click();
  await expect(page.getByText("Nothing is waiting for you")).toBeVisible();
  await expect(page).toHaveURL(/\/approvals$/);
  await Promise.all(replies);
  await agent.close();
});
