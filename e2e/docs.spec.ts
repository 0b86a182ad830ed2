import { expectAccessible } from "./accessible.ts";
import { expect, test } from "./gateway.ts";

for (const [device, viewport] of [
  ["a desk", { width: 1440, height: 900 }],
  ["a phone", { width: 390, height: 844 }],
] as const) {
  test(`G8 on ${device}: the documents are searched as one types, without signing in`, async ({ page, gateway }) => {
    await page.setViewportSize(viewport);
    await page.goto(`${gateway.url}/docs/`);
    await expectAccessible(page);

    await page.keyboard.press("/");
    await page.keyboard.type("backup passphrase");
    const results = page.locator("#results");
    await expect(results.getByRole("link").first()).toContainText(/back ?up/i);
    await expectAccessible(page);
    await results.getByRole("link").first().click();
    await expect(page).toHaveURL(/\/docs\/.*#/);
    await expect(page.locator("#page")).toContainText("passphrase");

    await page.keyboard.press("/");
    await page.keyboard.press("ControlOrMeta+a");
    await page.keyboard.type("no such words anywhere");
    await expect(results).toHaveText("No page contains all these words.");
    await page.keyboard.press("Escape");
    await expect(results).toBeHidden();
    await expect(page.locator("#page")).toBeVisible();
  });
}
