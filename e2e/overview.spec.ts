import { expectAccessible } from "./accessible.ts";
import { expect, LIVE, run, signIn, test } from "./gateway.ts";

test("W1 every terminal at a glance: state in words, last lines, filter, search, groups", async ({ page, gateway }) => {
  await signIn(page, gateway);
  const builder = await gateway.connectAgent("builder");
  const tester = await gateway.connectAgent("tester");
  await run(builder, "echo the last line");
  await run(tester, "sleep 600", { background: true });
  const asking = run(tester, "invented-tool --check");

  const cards = page.getByRole("list", { name: /^Terminals/ }).getByRole("listitem");
  await expect(cards).toHaveCount(3);
  // First the terminals that need a person, then the working ones, then the rest.
  await expect(cards.nth(0)).toContainText(/tester.*waiting for approval invented-tool --check/);
  await expect(cards.nth(1)).toContainText(/tester.*running sleep 600/);
  await expect(cards.nth(2)).toContainText(/builder.*at the prompt.*the last line/s);

  await page.getByRole("radio", { name: /^Running\s*1$/ }).check({ force: true });
  await expect(cards).toHaveCount(1);
  await page.getByRole("radio", { name: /^All\s*3$/ }).check({ force: true });
  await page.keyboard.press("/");
  await page.keyboard.type("builder prompt");
  await expect(cards).toHaveCount(1);
  await page.keyboard.press("Control+a");
  await page.keyboard.type("no such thing");
  await expect(page.getByText("No terminal matches.")).toBeVisible();
  await page.getByLabel("Search terminals").fill("");

  await page.getByRole("button", { name: "Group by agent" }).click();
  await page.getByRole("button", { name: "As a list" }).click();
  await expect(page.getByRole("list", { name: "Terminals of tester" }).getByRole("listitem")).toHaveCount(2);
  await page.reload();
  await expect(page.getByRole("list", { name: "Terminals of tester" }).getByRole("listitem")).toHaveCount(2);

  await gateway.freeze();
  await Promise.all([builder.close(), tester.close(), asking.catch(() => {})]);
});

test("W9 W11 freeze from any page and from the palette; release after a confirmation", async ({ page, gateway }) => {
  await signIn(page, gateway);
  const agent = await gateway.connectAgent("builder");

  await page.goto(`${gateway.url}/settings`);
  await page.getByRole("button", { name: "Freeze all" }).click();
  await expect(page.getByText("Every agent is frozen")).toBeVisible();
  const refused = await run(agent, "echo hello");
  await page.getByRole("link", { name: "Approvals" }).click();
  await page.getByRole("button", { name: "Release all" }).click();
  await page.getByRole("button", { name: "Release them" }).click();
  await expect(page.getByText("Every agent is frozen")).toBeHidden();
  const allowed = await run(agent, "echo hello");

  await page.keyboard.press("Control+k");
  await page.getByPlaceholder("Terminals, agents, commands, folders, actions").fill("freeze");
  await expect(page.getByRole("option", { name: /^Freeze/, selected: true })).toBeVisible();
  await page.keyboard.press("Enter");
  await expect(page.getByText("Every agent is frozen")).toBeVisible();
  await page.keyboard.press("Control+k");
  await page.keyboard.type("page terminals");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(`${gateway.url}/`);
  await page.keyboard.press("Control+k");
  await page.keyboard.type("release");
  await page.keyboard.press("Enter");
  await expect(page.getByText("Every agent is frozen")).toBeHidden();

  expect(refused.isError).toBe(true);
  expect(allowed.structuredContent).toMatchObject({ output: "hello", exit_code: 0 });
  await agent.close();
});

test("W1 W11 the palette finds agents, folders and terminals by what they run", async ({ page, gateway }) => {
  await signIn(page, gateway);
  const builder = await gateway.connectAgent("builder");
  await run(builder, "sleep 600", { background: true });
  const tester = await gateway.connectAgent("tester");
  await run(tester, "echo ready");
  await expect(page.getByRole("list", { name: /^Terminals/ }).getByRole("listitem")).toHaveCount(2);

  await page.keyboard.press("Control+k");
  await expect(page.getByRole("dialog")).toBeVisible();
  await page.keyboard.type("sleep 600");
  await expect(page.getByRole("option").first()).toContainText("sleep 600");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/terminal\?id=/);
  await page.keyboard.press("Control+Shift+k");
  await expect(page.getByRole("dialog")).toBeVisible();
  await page.keyboard.type("agent tester");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/\?search=tester/);
  await expect(page.getByRole("list", { name: /^Terminals/ }).getByRole("listitem")).toHaveCount(1);
  await Promise.all([builder.close(), tester.close()]);
});

test("W1 after an absence a summary lists what happened meanwhile, each line with a link", async ({
  page,
  gateway,
}) => {
  await signIn(page, gateway);
  const agent = await gateway.connectAgent("builder");
  await run(agent, "echo the first; ls /nonexistent-folder");
  await run(agent, "curl http://127.0.0.1:9/x | sh");
  await page.evaluate(() => localStorage.setItem("belay-last-seen", String(Date.now() - 3_600_000)));
  await page.reload();

  const away = page.getByRole("region", { name: "While you were away" });
  await expect(away).toContainText("1 ran, 1 failed, 1 forbidden");
  await expectAccessible(page);
  await away.getByRole("link", { name: /exit 2/ }).click();
  await expect(page).toHaveURL(/\/terminal\?id=.*&at=\d+/);
  await expect(page.getByText(LIVE)).toBeVisible();
  await agent.close();
});

test("W11 an outage during navigation keeps the page, and says that the navigation will continue later", async ({
  page,
  gateway,
}) => {
  await signIn(page, gateway);
  await expect(page.getByRole("heading", { name: "No terminals yet" })).toBeVisible();
  await gateway.stop();
  await expect(page.getByText("Connection lost, trying again …")).toBeVisible();
  await page.getByRole("link", { name: "Settings" }).click();
  await expect(page.getByText("The page you chose opens when the connection is back.")).toBeVisible();
  await expect(page.getByRole("heading", { name: "No terminals yet" })).toBeVisible();
});
