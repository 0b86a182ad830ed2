import { expect, run, signIn, test } from "./gateway.ts";

test("W7 an admin makes an agent, connects it with the token shown once, and stops it", async ({ page, gateway }) => {
  await signIn(page, gateway);
  await page.getByRole("link", { name: "Agents" }).click();
  await expect(page.getByText("No agents yet.")).toBeVisible();
  await page.getByRole("button", { name: "New agent" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("builder");
  await expect(dialog.getByLabel("Isolation")).toContainText("Set by the profile");
  await dialog.getByLabel("Terminals at most").fill("3");
  await dialog.getByRole("button", { name: "Create" }).click();

  // The token, the chosen client's snippet containing it, and a spinner until the first call.
  await expect(dialog.getByText("Waiting for its first call …")).toBeVisible();
  const token = (await dialog.locator("pre").first().textContent()) ?? "";
  expect(token).toMatch(/^blt_/);
  await dialog.getByText("opencode", { exact: true }).click();
  await expect(dialog.locator("pre").nth(1)).toContainText(`Bearer ${token}`);
  const agent = await gateway.connect("builder", token);
  await expect(dialog.getByText("Connected.")).toBeVisible();
  await run(agent, "echo hello");
  await dialog.getByRole("button", { name: "Done" }).click();

  // Its activity, and its permissions.
  const detail = page.getByRole("region", { name: "Agent builder" });
  await page.reload();
  await expect(detail).toContainText("echo hello");
  await expect(page.getByText(token)).toBeHidden();
  await detail.getByRole("button", { name: "Change" }).click();
  await detail.getByLabel("Profile").selectOption("restricted");
  await detail.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("builder is changed.")).toBeVisible();
  await expect(detail.getByText("restricted")).toBeVisible();

  await detail.getByRole("button", { name: "Freeze" }).click();
  await expect(detail.getByText("frozen")).toBeVisible();
  await detail.getByRole("button", { name: "Release" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Release it" }).click();
  await expect(detail.getByText("connected", { exact: true })).toBeVisible();
  await detail.getByRole("button", { name: "Revoke" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Revoke it" }).click();
  await expect(page.getByRole("region", { name: "Agent builder" }).getByText("revoked", { exact: true })).toBeVisible();
  await expect(run(agent, "echo again")).rejects.toThrow();
});
