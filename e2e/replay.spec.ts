import { readFile } from "node:fs/promises";
import { expectAccessible } from "./accessible.ts";
import { expect, run, signIn, test } from "./gateway.ts";

test("W6 a person finds a text in the recordings, replays that moment, and goes to its audit rows and back", async ({
  page,
  gateway,
}) => {
  const agent = await gateway.connectAgent("builder");
  await run(agent, "echo first-words");
  // With a pause, so that there is a moment with the first and without the second.
  await run(agent, "sleep 1");
  await run(agent, `printf 'a needle here ${"x".repeat(100)}\\n'; exit 3`);
  await signIn(page, gateway);
  await page.getByRole("link", { name: "Replays" }).click();
  await expect(page.getByRole("list", { name: "Recordings" })).toContainText("builder");
  await page.getByLabel("Search what was printed").fill("Needle");
  await page.keyboard.press("Enter");
  const found = page.getByRole("list", { name: "Found" });
  await expect(found).toContainText("builder");
  // A long line is cut off on a phone; the page does not become wider.
  await page.setViewportSize({ width: 390, height: 844 });
  await expect(async () => {
    const box = await found.boundingBox();
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(390);
    expect(await found.evaluate((list) => list.scrollWidth <= list.clientWidth)).toBe(true);
  }).toPass();
  await page.setViewportSize({ width: 1280, height: 800 });
  await found.getByRole("link").last().click();

  // The player shows the moment; only its page may run WebAssembly.
  const player = page.getByRole("region", { name: "Player" });
  await expect(player).toContainText("first-words");
  await expect(page).toHaveURL(/\/replay\?id=pty-\w+&at=\d+/);
  const marks = page.getByRole("region", { name: "Marks" });
  await expect(marks).toContainText("exit 3");
  await marks.getByRole("button", { name: /echo first-words/ }).click();
  await expect(player).not.toContainText("a needle here");
  // It fills the room that it has, and a jump within the same stretch shows exactly that moment.
  await expect(async () =>
    expect((await player.locator(".ap-player").boundingBox())?.width).toBeGreaterThan(400),
  ).toPass();
  await marks.getByRole("button", { name: /sleep 1/ }).click();
  await expect(player).toContainText("first-words");
  await expect(player).not.toContainText("a needle here");
  await page.getByLabel("Speed").selectOption("16");
  await page.getByRole("button", { name: "Play" }).click();
  await expect(player).toContainText("a needle here");
  await expectAccessible(page);

  await marks.getByRole("link", { name: "audit" }).first().click();
  const rows = page.getByRole("list", { name: "Rows, newest first" });
  await rows.getByRole("button", { name: /started/ }).click();
  await page.getByRole("link", { name: "Replay this moment" }).click();
  await expect(page.getByRole("region", { name: "Player" })).toBeVisible();

  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download" }).click();
  await page.getByRole("menuitem", { name: "Text" }).click();
  expect(await readFile(await (await download).path(), "utf8")).toContain("a needle here");

  // What should not have been printed is blanked, from one mark to another, and is no longer found.
  await marks.getByRole("button", { name: /needle/ }).click();
  await page.getByRole("button", { name: "Redact from here" }).click();
  await marks.getByRole("button", { name: /^exit 3/ }).click();
  await page.getByRole("button", { name: "Redact to here" }).click();
  const dialog = page.getByRole("dialog", { name: "Blank this stretch of the recording?" });
  await expect(dialog.getByRole("button", { name: "Blank it" })).toBeDisabled();
  await dialog.getByLabel("Why").fill("It was a password.");
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Blank it" }).click();
  await expect(page.getByText(/bytes are blank now/)).toBeVisible();
  await expect(marks).not.toContainText("needle");
  // A search is on record: the page does not repeat it when its connection is up and it refreshes everything else.
  let connect = () => {};
  const isShown = new Promise<void>((resolve) => {
    connect = resolve;
  });
  await page.route(/events\.all/, (route) => isShown.then(() => route.continue()));
  await page.goto(`${gateway.url}/replays?text=needle`);
  await expect(page.getByText("Found in 0 of 1 recordings")).toBeVisible();
  const refresh = page.waitForRequest(/recordings\.page/);
  connect();
  expect((await refresh).url()).not.toContain("recordings.search");
  await agent.close();
});

test("W6 the replay of an open terminal continues with its live output", async ({ page, gateway }) => {
  const agent = await gateway.connectAgent("builder");
  await run(agent, "echo before");
  await signIn(page, gateway);
  await page.goto(`${gateway.url}/replays`);
  await page.getByRole("list", { name: "Recordings" }).getByRole("link").click();
  const player = page.getByRole("region", { name: "Player" });
  await page.getByLabel("Speed").selectOption("16");
  await page.getByRole("button", { name: "Play" }).click();
  await expect(player).toContainText("before");
  await expect(page.getByText("live", { exact: true })).toBeVisible();

  await run(agent, "echo while-watching");
  await expect(player).toContainText("while-watching");
  await expect(page.getByRole("link", { name: "Watch it live" })).toBeVisible();
  await agent.close();
});
