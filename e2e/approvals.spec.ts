import { expect, signIn, test } from "./gateway.ts";

test("W3 W10 a person sees what waits, and why, and lets it run", async ({ page, gateway }) => {
  await signIn(page, gateway);
  const agent = await gateway.connectAgent("builder");
  const reply = agent.callTool({
    name: "terminal",
    arguments: { command: "touch built && rm -r built && echo removed" },
  });

  await page.getByRole("link", { name: /Approvals\s*1/ }).click();
  await expect(page).toHaveTitle("(1) Belay");
  const card = page.getByRole("list", { name: "Waiting for you" }).getByRole("listitem").first();
  await expect(card).toContainText("builder");
  await expect(card.locator("code .underline", { hasText: "rm -r built" })).toBeVisible();
  await card.getByRole("button", { name: "Run once" }).click();

  await expect(page.getByText("Nothing is waiting for you")).toBeVisible();
  expect((await reply).structuredContent).toMatchObject({ exit_code: 0, output: "removed" });
  await agent.close();
});

test("W3 a refusal reaches the agent in the person's words", async ({ page, gateway }) => {
  await signIn(page, gateway);
  const agent = await gateway.connectAgent("builder");
  const reply = agent.callTool({ name: "terminal", arguments: { command: "rm -r build" } });

  await page.getByRole("link", { name: /Approvals\s*1/ }).click();
  await page.getByLabel("Message to the agent").fill("Keep it, we still need it.");
  await page.getByRole("button", { name: "Refuse" }).click();

  await expect(page.getByText("Nothing is waiting for you")).toBeVisible();
  expect((await reply).structuredContent).toMatchObject({
    output: "Not run: Keep it, we still need it.",
    security_blocked: true,
  });
  await agent.close();
});
