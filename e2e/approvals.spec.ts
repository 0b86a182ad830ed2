import { expectAccessible } from "./accessible.ts";
import { ADMIN, call, expect, openTerminal, run, signIn, test } from "./gateway.ts";

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
