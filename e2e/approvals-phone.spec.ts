import { expect, run, signIn, test } from "./gateway.ts";

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
    await gateway.freeze();
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
