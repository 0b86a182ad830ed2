import { expectAccessible } from "./accessible.ts";
import { ADMIN, expect, openTerminal, run, signIn, test } from "./gateway.ts";

test.describe("a newcomer", () => {
  test.use({ gatewayEnv: {} });

  test("G5 W8 W1 uses the one-time link, becomes the admin and gets the snippet for the first agent", async ({
    page,
    gateway,
  }) => {
    await page.goto(gateway.setupLink ?? "");
    await expectAccessible(page);
    await page.getByLabel("Name").fill("Ada");
    await page.getByLabel("Email").fill("ada@belay.test");
    await page.getByLabel("Password").fill("long enough to pass");
    await page.getByRole("button", { name: "Create the admin and sign in" }).click();

    await expect(page.getByRole("heading", { name: "No terminals yet" })).toBeVisible();
    await page.getByLabel("Name of the agent").fill("first");
    await page.getByRole("button", { name: "Create" }).click();
    const snippet = page.getByText(/claude mcp add .*Bearer blt_/s);
    await expect(snippet).toContainText(`${gateway.url}/mcp`);
    const lost = await snippet.textContent();
    // The token is lost and replaced by a new one; then the agent connects.
    await page.getByRole("button", { name: "Make a new token" }).click();
    await expect(snippet).not.toHaveText(lost ?? "");
    const token = /blt_[\w-]+/.exec((await snippet.textContent()) ?? "")?.[0] ?? "";
    await gateway.connect("first", token);
    await expect(page.getByText("connected, waiting for its first command")).toBeVisible();

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

  const first = await run(agent, "echo first light");
  expect(first.structuredContent).toMatchObject({ exit_code: 0, output: "first light" });

  const screen = await openTerminal(page);
  await expect(page.getByText("Live, read-only")).toBeVisible();
  await run(agent, "echo second light");
  await expect(screen).toContainText(/first light[\s\S]*second light/);
  await agent.close();
});

test("G5 W8 terminals are visible only after signing in", async ({ page, gateway }) => {
  await page.goto(`${gateway.url}/terminal?id=pty-0000`);

  await expect(page.getByRole("heading", { name: "Sign in" })).toBeVisible();
  await page.getByLabel("Email").fill("nobody@belay.test");
  await page.getByLabel("Password").fill("not the password");
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByRole("alert").filter({ hasText: "Invalid email or password" })).toBeVisible();
  await expect(page.getByLabel("Email")).toHaveValue("nobody@belay.test");

  await page.getByLabel("Email").fill(ADMIN.email);
  await page.getByLabel("Password").fill(ADMIN.password);
  await page.getByRole("button", { name: "Sign in" }).click();
  // Back to the page that the link named.
  await expect(page).toHaveURL(`${gateway.url}/terminal?id=pty-0000`);
});
