import { expect, signIn, test } from "./gateway.ts";

test("W2 B6 B9 a person takes a terminal over, types into it and ends it", async ({ page, gateway }) => {
  page.on("dialog", (dialog) => void dialog.accept());
  await signIn(page, gateway);
  const agent = await gateway.connectAgent("builder");
  await agent.callTool({ name: "terminal", arguments: { command: "echo from the agent" } });
  await page.getByRole("link", { name: /^pty-/ }).click();
  await page.getByRole("button", { name: "Screen reader off" }).click();
  await expect(page.getByText("live, read-only")).toBeVisible();

  await page.getByRole("button", { name: "Take over" }).click();
  await expect(page.getByText("live, you hold the pen")).toBeVisible();
  await page.keyboard.type("echo from the person\n");
  await expect(page.locator(".xterm-accessibility")).toContainText(/echo from the person[\s\S]*from the person/);

  await page.getByRole("button", { name: "End" }).click();
  await expect(page.getByText(/^ended/)).toBeVisible();
  await agent.close();
});

test("W9 one press freezes every agent, and the page says so everywhere", async ({ page, gateway }) => {
  page.on("dialog", (dialog) => void dialog.accept());
  await signIn(page, gateway);
  const agent = await gateway.connectAgent("builder");

  await page.getByRole("button", { name: "Freeze all" }).click();
  await expect(page.getByText("Every agent is frozen")).toBeVisible();
  const refused = await agent.callTool({ name: "terminal", arguments: { command: "echo hello" } });
  await page.getByRole("button", { name: "Release all" }).click();
  await expect(page.getByText("Every agent is frozen")).toBeHidden();
  const allowed = await agent.callTool({ name: "terminal", arguments: { command: "echo hello" } });

  expect(refused.isError).toBe(true);
  expect(allowed.structuredContent).toMatchObject({ output: "hello", exit_code: 0 });
  await agent.close();
});
