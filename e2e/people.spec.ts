import { expect, signIn, test } from "./gateway.ts";

test("W8 a person is invited by a link, gets another role, and is signed out", async ({ page, browser, gateway }) => {
  await signIn(page, gateway);
  await page.getByRole("link", { name: "People" }).click();
  await expect(page.getByRole("table")).toContainText("Answer approvals and propose rules");
  await page.getByRole("button", { name: "Invite" }).click();
  await page.getByRole("dialog").getByText("viewer", { exact: true }).click();
  await page.getByRole("dialog").getByLabel("Address").fill("noor@belay.test");
  await page.getByRole("dialog").getByRole("button", { name: "Make the link" }).click();
  const link = (await page.getByRole("dialog").locator("pre").textContent()) ?? "";
  await page.getByRole("dialog").getByRole("button", { name: "Done" }).click();

  const other = await (await browser.newContext()).newPage();
  await other.goto(link);
  await other.getByLabel("Name").fill("Noor");
  await expect(other.getByLabel("Email")).toHaveValue("noor@belay.test");
  await other.getByLabel("Password").fill("a long enough phrase");
  await other.getByRole("button", { name: "Create my account and sign in" }).click();
  await expect(other.getByRole("button", { name: "Noor, viewer" })).toBeVisible();
  // A viewer does not see the pages for admins.
  await expect(other.getByRole("link", { name: "Agents" })).toBeVisible();
  await expect(other.getByRole("link", { name: "People" })).toBeHidden();

  await page.getByRole("list", { name: "People" }).getByRole("button", { name: /Noor/ }).click();
  const detail = page.getByRole("region", { name: "Noor" });
  await detail.getByText("operator", { exact: true }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Make them operator" }).click();
  await expect(page.getByText("Noor is operator now.")).toBeVisible();

  await detail.getByRole("list", { name: "Sessions" }).getByRole("button", { name: "Sign out" }).click();
  await expect(detail.getByText("Not signed in anywhere.")).toBeVisible();
  // Their open page notices by itself.
  await expect(other.getByRole("heading", { name: "Sign in" })).toBeVisible();
  await other.context().close();
});

test("W8 everyone changes their own password and sees where they are signed in", async ({ page, gateway }) => {
  const viv = await gateway.addPerson("Viv", "viewer");
  await signIn(page, gateway, viv);
  await page.getByRole("button", { name: "Viv, viewer" }).click();
  await page.getByRole("menuitem", { name: "Your account" }).click();
  await expect(page.getByRole("list", { name: "Sessions" })).toContainText("this one");
  await page.getByLabel("Current password").fill("not the one");
  await page.getByLabel("New password").fill("another long phrase");
  await page.getByRole("button", { name: "Change the password" }).click();
  await expect(page.getByRole("alert").filter({ hasText: "Invalid password" })).toBeVisible();
  await page.getByLabel("Current password").fill(viv.password);
  await page.getByRole("button", { name: "Change the password" }).click();
  await expect(page.getByText("Your password is changed.")).toBeVisible();

  const again = await page.request.post(`${gateway.url}/api/auth/sign-in/email`, {
    data: { email: viv.email, password: "another long phrase" },
    headers: { origin: gateway.url },
  });
  expect(again.status()).toBe(200);
});
