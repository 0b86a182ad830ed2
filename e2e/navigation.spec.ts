import { expectAccessible } from "./accessible.ts";
import { expect, run, signIn, test } from "./gateway.ts";

test("W11 two keys open a page, and the second key does not act on that page", async ({ page, gateway }) => {
  const agent = await gateway.connectAgent("builder");
  await signIn(page, gateway);
  const reply = run(agent, "invented-program");
  await expect(page.getByRole("link", { name: "Approvals 1" })).toBeVisible();
  await page.keyboard.press("g");
  await expect(page.getByRole("link", { name: "Approvals 1 a" })).toBeVisible();
  await page.keyboard.press("a");
  await expect(page.getByRole("region", { name: "builder asks" })).toBeVisible();

  // On the approvals themselves, `a` would run what is selected.
  await page.getByRole("region", { name: "builder asks" }).click();
  await page.keyboard.press("g");
  await page.keyboard.press("a");
  await page.keyboard.press("g");
  await page.keyboard.press("t");

  await expect(page.getByRole("heading", { name: "Terminals" })).toBeVisible();
  await expect(page.getByRole("link", { name: /Approvals\s*1/ })).toBeVisible();
  await page.getByRole("link", { name: /Approvals/ }).click();
  await page.getByRole("button", { name: "Refuse" }).click();
  await page.getByLabel("Message to the agent").fill("Not now.");
  await page.getByRole("button", { name: "Refuse" }).click();
  await reply;
  await agent.close();
});

test("W11 the keys of a page are one key away on every page", async ({ page, gateway }) => {
  await signIn(page, gateway);
  const keys = page.getByRole("dialog", { name: "Keys" });
  for (const [path, its] of [
    ["audit", "Search"],
    ["approvals", "Refuse, with a message"],
    ["agents", "Close the details"],
  ] as const) {
    await page.goto(`${gateway.url}/${path}`);
    await expect(page.getByRole("main")).toBeVisible();
    await page.keyboard.press("?");
    await expect(keys).toContainText(its);
    await expect(keys).toContainText("Fewer questions");
    await expectAccessible(page);
    await page.keyboard.press("Escape");
    await expect(keys).toBeHidden();
  }
});
