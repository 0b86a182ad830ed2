import { expect, signIn, test } from "./gateway.ts";

test.describe("a newcomer", () => {
  test.use({ gatewayEnv: {} });

  test("G5 W8 uses the one-time link, becomes the admin and sees how to connect an agent", async ({
    page,
    gateway,
  }) => {
    await page.goto(gateway.setupLink ?? "");
    await page.getByLabel("Name").fill("Ada");
    await page.getByLabel("Email").fill("ada@belay.test");
    await page.getByLabel("Password").fill("long enough to pass");
    await page.getByRole("button", { name: "Create the admin and sign in" }).click();

    await expect(page.getByRole("heading", { name: "No terminals yet" })).toBeVisible();
    await expect(page.getByText(`${gateway.url}/mcp`)).toBeVisible();

    await page.goto(gateway.setupLink ?? "");
    await page.getByLabel("Name").fill("Eve");
    await page.getByLabel("Email").fill("eve@belay.test");
    await page.getByLabel("Password").fill("long enough to pass");
    await page.getByRole("button", { name: "Create the admin and sign in" }).click();
    await expect(page.getByRole("alert").filter({ hasText: "This link has been used" })).toBeVisible();
  });
});

test("G1 W1 W2 a signed-in person sees live what an agent runs over MCP", async ({ page, gateway }) => {
  await signIn(page, gateway);
  await expect(page.getByRole("heading", { name: "No terminals yet" })).toBeVisible();
  const agent = await gateway.connectAgent("builder");

  const first = await agent.callTool({ name: "terminal", arguments: { command: "echo first light" } });
  expect(first.structuredContent).toMatchObject({ exit_code: 0, output: "first light" });

  await page.getByRole("link", { name: /pty-.*at the prompt.*builder/ }).click();
  await expect(page.getByText("live, read-only")).toBeVisible();
  await expect(page.locator(".xterm-screen")).toBeVisible();
  // xterm paints on a canvas; for screen readers, and for us, it also keeps the text.
  await page.getByRole("button", { name: "Screen reader off" }).click();
  await agent.callTool({ name: "terminal", arguments: { command: "echo second light" } });
  await expect(page.locator(".xterm-accessibility")).toContainText(/first light[\s\S]*second light/);
  await agent.close();
});

test("G5 nobody who is not signed in sees a terminal", async ({ page, gateway }) => {
  await page.goto(`${gateway.url}/terminal?id=pty-0000`);

  await expect(page.getByRole("heading", { name: "Sign in" })).toBeVisible();
  await page.getByLabel("Email").fill("nobody@belay.test");
  await page.getByLabel("Password").fill("not the password");
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByRole("alert").filter({ hasText: "Invalid email or password" })).toBeVisible();
});
