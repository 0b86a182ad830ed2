import type { Page } from "@playwright/test";
import { expectAccessible } from "./accessible.ts";
import { expect, openTerminal, run, signIn, test } from "./gateway.ts";

test("W2 B6 B9 a person takes a terminal over, types into it, and ends it", async ({ page, gateway }) => {
  await signIn(page, gateway);
  const agent = await gateway.connectAgent("builder");
  await run(agent, "echo from the agent");
  const screen = await openTerminal(page);
  await expect(page.getByText("Live, read-only")).toBeVisible();

  await page.getByRole("button", { name: "Take over" }).click();
  await page.getByText("For good").click();
  await expect(page.getByText("The agent can’t get it back.")).toBeVisible();
  await page.getByRole("button", { name: "Take it over" }).click();
  await expect(page.getByText("You’re typing")).toBeVisible();
  await page.locator(".xterm-helper-textarea").focus();
  await page.keyboard.type("echo from the person\n");
  await expect(screen).toContainText(/echo from the person[\s\S]*from the person/);

  // It takes the size of the window.
  await page.setViewportSize({ width: 900, height: 700 });
  await page.keyboard.type("clear; stty size\n");
  await expect(screen.locator("div").filter({ hasText: /^\d+ (?!120$)\d+$/ })).toHaveCount(1);

  await page
    .getByRole("region", { name: /^Terminal pty-/ })
    .getByRole("button", { name: "More" })
    .click();
  await page.getByRole("menuitem", { name: "End the terminal" }).click();
  await page.getByRole("button", { name: "End it" }).click();
  await expect(page.getByText(/^Ended/)).toBeVisible();
  await agent.close();
});

test("W2 a person answers one password prompt for the agent, and the password is not recorded", async ({
  page,
  gateway,
}) => {
  await signIn(page, gateway);
  const agent = await gateway.connectAgent("builder", { profile: "trusted" });
  const waiting = await run(agent, "openssl passwd -noverify -1 -salt salt");
  expect(waiting.structuredContent).toMatchObject({ state: "waiting_secret" });
  await expect(page.getByRole("list", { name: /^Terminals/ })).toContainText("waiting for a password");

  const screen = await openTerminal(page);
  await page.getByLabel("The answer").fill("tr0ub4dor&3");
  await expect(page.getByRole("button", { name: "Send once" })).toBeDisabled();
  await expect(page.getByText("Started as openssl passwd -noverify -1 -salt salt")).toBeVisible();
  await page.getByRole("checkbox", { name: /openssl and trust it/ }).check();
  await page.getByRole("button", { name: "Send once" }).click();
  await expect(screen.locator("div").filter({ hasText: /^\$1\$salt\$/ })).toHaveCount(1);
  await expect(page.getByText("Live, read-only")).toBeVisible();
  await expect(page.getByLabel("The answer")).toBeHidden();

  const record = await gateway.cli("audit", "export");
  expect(record).toContain("terminal.answer-lent");
  expect(record).not.toContain("tr0ub4dor");
  const [download] = await Promise.all([page.waitForEvent("download"), downloadRecording(page)]);
  const recording = await (await download.createReadStream()).toArray();
  expect(Buffer.concat(recording).toString()).toContain("$1$salt$");
  expect(Buffer.concat(recording).toString()).not.toContain("tr0ub4dor");
  expect(await gateway.cli("audit", "export")).toContain("recording.opened");
  await agent.close();
});

test("W13 a person takes over temporarily, leaves the terminal by keyboard, and hands back; the agent continues", async ({
  page,
  gateway,
}) => {
  await signIn(page, gateway);
  const agent = await gateway.connectAgent("builder");
  await run(agent, "echo from the agent");
  const screen = await openTerminal(page);

  await page.getByRole("button", { name: "Take over" }).click();
  await page.getByRole("button", { name: "Take it over" }).click();
  await expect(page.getByText("The agent waits while you type.")).toBeVisible();
  await page.keyboard.type("echo from the person\n");
  await expect(screen).toContainText(/echo from the person[\s\S]*from the person/);
  await expectAccessible(page);

  // Tab goes to the shell; this chord leaves the terminal.
  await page.locator(".xterm-helper-textarea").focus();
  await page.keyboard.press("Control+Shift+L");
  await expect(page.getByRole("link", { name: "Back to terminals" })).toBeFocused();
  await page.locator(".xterm-helper-textarea").focus();
  await page.keyboard.press("Control+Shift+K");
  await expect(page.getByRole("dialog")).toBeVisible();
  await page.keyboard.press("Escape");

  await page.getByRole("button", { name: "Hand back to the agent" }).click();
  await expect(page.getByText("Live, read-only")).toBeVisible();
  expect((await run(agent, "echo on again")).structuredContent).toMatchObject({ output: "on again", exit_code: 0 });
  await expect(screen).toContainText("on again");
  await agent.close();
});

test("W2 W13 one window types: others see who, can ask for it or take it, and never set the size", async ({
  page,
  gateway,
  browser,
}) => {
  const olga = await gateway.addPerson("Olga", "operator");
  const vera = await gateway.addPerson("Vera", "viewer");
  await signIn(page, gateway);
  const agent = await gateway.connectAgent("builder");
  await run(agent, "echo ready");
  const screen = await openTerminal(page);
  await page.getByRole("button", { name: "Take over" }).click();
  await page.getByRole("button", { name: "Take it over" }).click();
  await expect(page.getByText("You’re typing", { exact: true })).toBeVisible();
  await page.keyboard.type("stty size\n");
  const size = screen.locator("div").filter({ hasText: /^\d+ \d+$/ });
  await expect(size).toHaveCount(1);
  const given = await size.first().textContent();

  const phone = await (await browser.newContext({ viewport: { width: 390, height: 844 }, hasTouch: true })).newPage();
  await signIn(phone, gateway, olga);
  const olgasScreen = await openTerminal(phone);
  await expect(phone.getByText("Admin is typing.")).toBeVisible();
  await phone.locator(".xterm-helper-textarea").focus();
  await phone.keyboard.type("echo from olga\n");
  const desk = await (await browser.newContext()).newPage();
  await signIn(desk, gateway, vera);
  await openTerminal(desk);
  await expect(desk.getByText("Live, read-only")).toBeVisible();
  await expect(desk.getByRole("button", { name: /Type|Take over|Ask/ })).toHaveCount(0);

  await phone.getByRole("button", { name: "Ask to type" }).click();
  await expect(page.getByText("Olga would like to type.")).toBeVisible();
  await page.keyboard.type("clear; stty size\n");
  await expect(screen.locator("div").filter({ hasText: given ?? "" })).toHaveCount(1);
  await page.getByRole("button", { name: "Let them type" }).click();
  await expect(page.getByText("Olga is typing.")).toBeVisible();
  await expect(phone.getByRole("toolbar", { name: "Keys" })).toBeVisible();
  await phone.keyboard.type("echo from olga\n");
  await expect(olgasScreen).toContainText(/echo from olga[\s\S]*from olga/);
  await phone.keyboard.type("sleep 600\n");
  await phone.getByRole("button", { name: "Ctrl", exact: true }).click();
  await phone.keyboard.type("c");
  await expect(olgasScreen).toContainText("^C");
  await expectAccessible(phone);

  await page.getByRole("button", { name: "Type instead" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Type instead" }).click();
  await expect(phone.getByText("Admin is typing.")).toBeVisible();
  await agent.close();
});

test("W13 a program's prompt is answered once without taking over", async ({ page, gateway }) => {
  await signIn(page, gateway);
  const agent = await gateway.connectAgent("builder");
  await run(agent, "read -p 'Go on? [y/N] ' x; echo \"said $x\"");
  const screen = await openTerminal(page);

  await page.getByLabel("The answer").fill("y");
  await page.getByRole("button", { name: "Send once" }).click();

  await expect(screen).toContainText("said y");
  await expect(page.getByText("Live, read-only")).toBeVisible();
  await expect(page.getByLabel("The answer")).toBeHidden();
  await agent.close();
});

async function downloadRecording(page: Page) {
  await page.getByRole("button", { name: "More" }).click();
  await page.getByRole("menuitem", { name: "Download the recording" }).click();
}
