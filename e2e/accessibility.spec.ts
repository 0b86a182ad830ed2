import { expectAccessible } from "./accessible.ts";
import { onEachDevice } from "./devices.ts";
import { expect, LIVE, run, signIn, test } from "./gateway.ts";

onEachDevice((device) => {
  test(`W11 every page is accessible, on a ${device}`, async ({ page, gateway }) => {
    await page.goto(`${gateway.url}/sign-in`);
    await expect(page.getByRole("heading", { name: "Sign in" })).toBeVisible();
    await expectAccessible(page);
    await signIn(page, gateway);
    await expect(page.getByRole("heading", { name: "No terminals yet" })).toBeVisible();
    await expectAccessible(page);

    const agent = await gateway.connectAgent("builder");
    await run(agent, "echo hello");
    await expect(page.getByRole("list", { name: /^Terminals/ })).toContainText("at the prompt");
    const reply = run(agent, "rm -r no-such-folder");
    await expect(page.getByRole("list", { name: /^Terminals/ })).toContainText("waiting for approval");
    await expectAccessible(page);

    await page
      .getByRole("link", { name: /at the prompt|waiting for approval/ })
      .first()
      .click();
    await expect(page.getByText(LIVE)).toBeVisible();
    await expectAccessible(page);
    if (device === "phone") await page.getByRole("button", { name: "Commands" }).click();
    await expect(page.getByRole("list", { name: "Its commands, newest first" })).toContainText("hello");
    await expectAccessible(page);
    await page.keyboard.press("Escape");

    await page.keyboard.press("ControlOrMeta+k");
    await expect(page.getByRole("dialog")).toBeVisible();
    await expectAccessible(page);
    await page.keyboard.press("Escape");

    if (device === "phone") {
      await page.getByRole("navigation").getByRole("button", { name: "More" }).click();
      await expectAccessible(page);
    }
    await page.getByRole("link", { name: "Settings" }).click();
    await expect(page.getByRole("heading", { name: "Webhooks" })).toBeVisible();
    await expectAccessible(page);

    await page.getByRole("link", { name: /Approvals\s*1/ }).click();
    await expect(page.getByRole("region", { name: "builder asks" })).toBeVisible();
    await expectAccessible(page);
    // Nothing is wider than the screen, and the answer buttons are visible.
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true);
    await page.getByRole("button", { name: "Run once" }).click();
    await expect(page.getByRole("button", { name: "Yes, run it" })).toBeInViewport();
    await expectAccessible(page);
    await page.getByRole("button", { name: "Yes, run it" }).click();
    await expect(page.getByText("Nothing is waiting for you")).toBeVisible();
    await reply;
    await agent.close();
  });
});
