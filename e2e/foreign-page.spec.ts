import type { BrowserContext, Page } from "@playwright/test";
import { expect, run, signIn, test } from "./gateway.ts";

const ELSEWHERE = "http://elsewhere.test/";

/** A page of another site that opens the approvals while a person types in it. */
async function openElsewhere(context: BrowserContext, target: string, features: string): Promise<Page> {
  const open = `globalThis.opened = window.open(${JSON.stringify(target)}, "_blank", ${JSON.stringify(features)})`;
  const html = `<textarea autofocus></textarea><script>
    document.querySelector("textarea").addEventListener("keydown", ({ key }) => { if (key === "x") ${open} });
  </script>`;
  await context.route(ELSEWHERE, (route) => route.fulfill({ contentType: "text/html", body: html }));
  const page = await context.newPage();
  await page.goto(ELSEWHERE);
  await page.getByRole("textbox").click();
  return page;
}

for (const [how, features] of [
  ["and keeps a hold on it", "popup"],
  ["without a trace", "popup,noopener"],
] as const) {
  test(`S13 a foreign page that opens the approvals ${how} while a person types gets no answer`, async ({
    page,
    gateway,
    context,
  }) => {
    await signIn(page, gateway);
    const agent = await gateway.connectAgent("builder");
    const reply = run(agent, "invented-tool --check");
    await expect(page.getByRole("link", { name: /Approvals\s*1/ })).toBeVisible();
    const elsewhere = await openElsewhere(context, `${gateway.url}/approvals`, features);
    const opening = context.waitForEvent("page");
    await elsewhere.keyboard.type("let me explain x");
    const approvals = await opening;
    const runOnce = approvals.getByRole("button", { name: "Run once" });
    await expect(runOnce).toBeEnabled();

    // Neither side has a hold on the other.
    expect(await approvals.evaluate(() => window.opener)).toBeNull();
    expect(await elsewhere.evaluate(() => (globalThis as { opened?: Window | null }).opened?.closed ?? true)).toBe(
      true,
    );
    // What a key would press is not focused.
    expect(await approvals.evaluate(() => document.activeElement?.tagName)).not.toBe("BUTTON");

    for (const text of [
      "ayayayaya",
      "AYAY",
      "yes, a day may play a part",
      "just ask: a y",
      "je suis là\n",
      "kd no\n",
      "1a 2a 3a 4a sy Jy",
      "e\n",
    ]) {
      await approvals.keyboard.type(text);
    }
    // A held key, keys with modifiers, a key of an input method.
    for (let times = 0; times < 5; times += 1) await approvals.keyboard.down("a");
    await approvals.keyboard.up("a");
    for (const key of ["Control+Enter", "Shift+Enter", "Alt+a", "Meta+a", "Control+a", "Shift+a"])
      await approvals.keyboard.press(key);
    const devtools = await context.newCDPSession(approvals);
    const composed = { key: "Process", code: "KeyA", windowsVirtualKeyCode: 229 };
    await devtools.send("Input.dispatchKeyEvent", { type: "keyDown", ...composed });
    await devtools.send("Input.dispatchKeyEvent", { type: "keyUp", ...composed });
    // The focus goes back and forth between the two.
    for (const event of ["blur", "focus", "blur", "focus"]) {
      await approvals.evaluate((type) => window.dispatchEvent(new Event(type)), event);
      await approvals.keyboard.type("ja");
    }
    // Tabs bring the focus to the button, as in a text with tabs.
    for (const key of ["Enter", "Space", "Shift+Enter"]) {
      await runOnce.focus();
      await approvals.keyboard.press(key);
    }
    await expect(approvals.getByText("Click into this page first")).toBeVisible();
    await expect(runOnce).toBeEnabled();
    await expect(approvals.getByRole("textbox")).toHaveCount(0);

    // In a frame there is nothing to press.
    await elsewhere.evaluate((url) => {
      const frame = document.createElement("iframe");
      frame.src = url;
      document.body.append(frame);
    }, `${gateway.url}/approvals`);
    await expect.poll(() => elsewhere.frames().map((frame) => frame.url())).toContain("chrome-error://chromewebdata/");

    await expect(async () => {
      await approvals.getByRole("heading", { name: "Approvals" }).click({ timeout: 1000 });
      await approvals.keyboard.press("a");
      await expect(approvals.getByText("Nothing is waiting for you")).toBeVisible({ timeout: 2000 });
    }).toPass();
    expect((await reply).structuredContent).toMatchObject({ exit_code: 127 });
    await agent.close();
  });
}

test("S13 only a pause before and after j unlocks the keys, and a click counts only once the page was looked at", async ({
  page,
  gateway,
}) => {
  await signIn(page, gateway);
  const agent = await gateway.connectAgent("builder");
  const reply = run(agent, "invented-tool --one");
  const other = run(agent, "invented-tool --two");
  await expect(page.getByRole("link", { name: /Approvals\s*2/ })).toBeVisible();
  // Time passes only when the test says so.
  await page.clock.install();
  await page.goto(`${gateway.url}/approvals`);
  const runOnce = page.getByRole("button", { name: "Run once" });
  const pause = (ms: number) => page.clock.runFor(ms);
  await expect(runOnce).toBeVisible();
  await page.clock.pauseAt(Date.now() + 3_600_000);
  await expect(runOnce).toBeEnabled();

  // It appears under the pointer: the click was meant for what was there before.
  await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
  await runOnce.click();
  await expect(page.getByText("This page has only just come to the front.")).toBeVisible();
  // Typing, with pauses of any length in it.
  for (const [key, ms] of [
    ["j", 5000],
    ["a", 5000],
    ["j", 100],
    ["o", 5000],
    ["a", 5000],
    ["k", 699],
    ["a", 300],
    ["k", 5000],
    ["a", 5000],
  ] as const) {
    await page.keyboard.press(key);
    await pause(ms);
  }
  await expect(page.getByRole("list", { name: "Waiting for you" }).getByRole("button")).toHaveCount(2);
  await expect(page).toHaveURL(/\/approvals/);

  await page.keyboard.press("k");
  await pause(800);
  await page.keyboard.press("a");
  // Requests wait for a moment, too, so that several go together.
  await pause(100);
  expect((await reply).structuredContent).toMatchObject({ exit_code: 127 });
  // A mouse works as before.
  await expect(async () => {
    await pause(1000);
    await runOnce.click({ timeout: 1000 });
  }).toPass();
  await pause(100);
  expect((await other).structuredContent).toMatchObject({ exit_code: 127 });
  await agent.close();
});
