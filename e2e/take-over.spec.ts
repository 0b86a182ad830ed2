import type { Page } from "@playwright/test";
import { expect, openTerminal, run, signIn, test } from "./gateway.ts";

test("W2 B6 B9 a person takes a terminal over, types into it, and ends it", async ({ page, gateway }) => {
  await signIn(page, gateway);
  const agent = await gateway.connectAgent("builder");
  await run(agent, "echo from the agent");
  const screen = await openTerminal(page);
  await expect(page.getByText("live, read-only")).toBeVisible();

  await page.getByRole("button", { name: "Take over" }).click();
  await expect(page.getByText("There is no way back.")).toBeVisible();
  await page.getByRole("button", { name: "Take it over" }).click();
  await expect(page.getByText("live, you hold the pen")).toBeVisible();
  await page.locator(".xterm-helper-textarea").focus();
  await page.keyboard.type("echo from the person\n");
  await expect(screen).toContainText(/echo from the person[\s\S]*from the person/);

  // It takes the size of the window.
  await page.setViewportSize({ width: 900, height: 700 });
  await page.keyboard.type("clear; stty size\n");
  await expect(screen.locator("div").filter({ hasText: /^\d+ (?!120$)\d+$/ })).toHaveCount(1);

  await page.getByRole("button", { name: "More" }).click();
  await page.getByRole("menuitem", { name: "End the terminal" }).click();
  await page.getByRole("button", { name: "End it" }).click();
  await expect(page.getByText(/^ended/)).toBeVisible();
  await agent.close();
});

test("W2 a person lends one answer at a password prompt; it is on no record", async ({ page, gateway }) => {
  await signIn(page, gateway);
  const agent = await gateway.connectAgent("builder");
  const waiting = await run(agent, "read -s -p 'Password: ' given; echo; printf %s \"$given\" | wc -c");
  expect(waiting.structuredContent).toMatchObject({ state: "waiting_secret" });
  await expect(page.getByRole("list", { name: "Terminals" })).toContainText("waiting for a password");

  const screen = await openTerminal(page);
  await page.getByLabel("The answer").fill("tr0ub4dor&3");
  await page.getByRole("button", { name: "Lend it" }).click();
  await expect(screen.locator("div").filter({ hasText: /^11$/ })).toHaveCount(1);
  await expect(page.getByText("live, read-only")).toBeVisible();
  await expect(page.getByLabel("The answer")).toBeHidden();

  const record = await gateway.cli("audit", "export");
  expect(record).toContain("terminal.answer-lent");
  expect(record).not.toContain("tr0ub4dor");
  const [download] = await Promise.all([page.waitForEvent("download"), downloadRecording(page)]);
  const recording = await (await download.createReadStream()).toArray();
  expect(Buffer.concat(recording).toString()).toContain("11\\r\\n");
  expect(Buffer.concat(recording).toString()).not.toContain("tr0ub4dor");
  expect(await gateway.cli("audit", "export")).toContain("recording.opened");
  await agent.close();
});

async function downloadRecording(page: Page) {
  await page.getByRole("button", { name: "More" }).click();
  await page.getByRole("menuitem", { name: "Download the recording" }).click();
}
