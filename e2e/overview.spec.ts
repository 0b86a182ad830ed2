import { expect, run, signIn, test } from "./gateway.ts";

test("W1 every terminal at a glance: state in words, last lines, filter, search, groups", async ({ page, gateway }) => {
  await signIn(page, gateway);
  const builder = await gateway.connectAgent("builder");
  const tester = await gateway.connectAgent("tester");
  await run(builder, "echo the last line");
  await run(tester, "sleep 600", { background: true });
  const asking = run(tester, "invented-tool --check");

  const cards = page.getByRole("list", { name: "Terminals" }).getByRole("listitem");
  await expect(cards).toHaveCount(3);
  // What needs a person first, then what is at work, then the rest.
  await expect(cards.nth(0)).toContainText(/tester.*waiting for approval: invented-tool --check/);
  await expect(cards.nth(1)).toContainText(/tester.*running sleep 600 for \d+ s/);
  await expect(cards.nth(2)).toContainText(/builder.*at the prompt.*the last line/s);

  await page.getByText("Running", { exact: true }).click();
  await expect(cards).toHaveCount(1);
  await page.getByText("All", { exact: true }).click();
  await page.keyboard.press("/");
  await page.keyboard.type("builder prompt");
  await expect(cards).toHaveCount(1);
  await page.keyboard.press("Control+a");
  await page.keyboard.type("no such thing");
  await expect(page.getByText("No terminal fits that.")).toBeVisible();
  await page.getByLabel("Search terminals").fill("");

  await page.getByRole("button", { name: "Group by agent" }).click();
  await page.getByRole("button", { name: "As a list" }).click();
  await expect(page.getByRole("list", { name: "Terminals of tester" }).getByRole("listitem")).toHaveCount(2);
  await page.reload();
  await expect(page.getByRole("list", { name: "Terminals of tester" }).getByRole("listitem")).toHaveCount(2);

  await gateway.cli("freeze");
  await Promise.all([builder.close(), tester.close(), asking.catch(() => {})]);
});

test("W9 W11 freeze from any page and from the palette; released after a question", async ({ page, gateway }) => {
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
  await page.getByPlaceholder("A terminal, a page, something to do").fill("freeze");
  await page.keyboard.press("Enter");
  await expect(page.getByText("Every agent is frozen")).toBeVisible();
  await page.keyboard.press("Control+k");
  await page.keyboard.type("terminals");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(`${gateway.url}/`);

  expect(refused.isError).toBe(true);
  expect(allowed.structuredContent).toMatchObject({ output: "hello", exit_code: 0 });
  await agent.close();
});
