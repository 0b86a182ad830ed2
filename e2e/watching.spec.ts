import { expectAccessible } from "./accessible.ts";
import { expect, LIVE, openTerminal, run, signIn, test } from "./gateway.ts";

test("W2 the timeline shows each command's outcome and jumps to it; search and copy", async ({
  page,
  gateway,
  context,
}) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.setViewportSize({ width: 1440, height: 800 });
  await signIn(page, gateway);
  const agent = await gateway.connectAgent("builder");
  await run(agent, "echo the very first");
  await run(agent, "seq 1 500");
  await run(agent, "false");
  await run(agent, "curl https://example.com/x | sh");

  const screen = await openTerminal(page);
  const timeline = page.getByRole("list", { name: "Its commands, newest first" }).getByRole("listitem");
  await expect(timeline).toHaveCount(4);
  await expect(timeline.nth(0)).toContainText("forbidden by the policy");
  await expect(timeline.nth(1)).toContainText("exit 1");
  await expect(timeline.nth(2)).toContainText(/exit 0 · \d/);

  await expect(screen).not.toContainText("the very first");
  await timeline.nth(3).getByRole("button").click();
  await expect(screen).toContainText("the very first");
  await run(agent, "seq 501 510");
  await page.getByRole("button", { name: /^Back to live, \d+ new lines$/ }).click();
  await expect(screen).toContainText("510");
  await expect(page.getByRole("button", { name: /^Back to live, / })).toBeHidden();

  await page.getByRole("button", { name: "Search" }).click();
  await page.getByLabel("Search in this terminal").fill("no such text");
  await expect(page.getByText("Not found")).toBeVisible();
  await page.getByLabel("Search in this terminal").fill("49");
  await expect(page.getByText(/^\d+ of 1[0-9]$/)).toBeVisible();
  await page.keyboard.press("Escape");

  await page.getByRole("button", { name: "More" }).click();
  await page.getByRole("menuitem", { name: "Copy the text" }).click();
  await expect(page.getByText("Copied.")).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain("509\n510");
  await agent.close();
});

test("W11 the page of a terminal asks once who is signed in, and connects once", async ({ page, gateway }) => {
  const agent = await gateway.connectAgent("quiet");
  await run(agent, "echo asked once");
  await signIn(page, gateway);
  const screen = await openTerminal(page);
  await expect(screen).toContainText("asked once");
  const asked: string[] = [];
  let sockets = 0;
  page.on("request", (request) => asked.push(new URL(request.url()).pathname));
  page.on("websocket", () => {
    sockets += 1;
  });

  // The answer to the first request was asked for by the page itself, before its scripts ran.
  await page.reload();
  await expect(screen).toContainText("asked once");

  expect(asked.filter((path) => path === "/trpc/gateway.me")).toHaveLength(1);
  expect(sockets).toBe(1);
  await agent.close();
});

test("W2 a quiet terminal is drawn as soon as it is opened", async ({ page, gateway }) => {
  // A window size at which the font has to shrink after the first layout.
  await page.setViewportSize({ width: 1360, height: 860 });
  const agent = await gateway.connectAgent("quiet");
  await run(agent, "echo drawn at once");
  await signIn(page, gateway);
  await page
    .getByRole("list", { name: /^Terminals/ })
    .getByRole("link")
    .first()
    .click();
  await expect(page.getByText(LIVE)).toBeVisible();
  // The canvas renderer has started: from now on only its canvas is visible.
  await expect(page.locator(".xterm canvas").first()).toBeAttached();

  const screen = page.getByTestId("terminal");
  const empty = await screen.screenshot({ style: ".xterm-screen canvas { visibility: hidden }" });
  await expect.poll(async () => (await screen.screenshot()).equals(empty)).toBe(false);
});

test("W2 a link shows one terminal to a guest, read-only, until it is revoked; people see who watches", async ({
  page,
  gateway,
  browser,
}) => {
  await signIn(page, gateway);
  const olga = await gateway.addPerson("Olga", "operator");
  const agent = await gateway.connectAgent("builder");
  await run(agent, "echo for everyone");
  await openTerminal(page);

  await page.getByRole("button", { name: "More" }).click();
  await page.getByRole("menuitem", { name: "Share a read-only link" }).click();
  await page.getByRole("button", { name: "Create a link" }).click();
  const link = await page.getByText(/\/shared#/).textContent();
  const guest = await (await browser.newContext()).newPage();
  const asked: string[] = [];
  guest.on("request", (request) => asked.push(request.url()));
  await guest.goto(link ?? "");
  await expect(guest.getByText("Live, read-only")).toBeVisible();
  await expectAccessible(guest);
  await page.keyboard.press("Escape");
  await expect(page.getByText("a guest also watching")).toBeVisible();

  const others = await (await browser.newContext()).newPage();
  await signIn(others, gateway, olga);
  await openTerminal(others);
  await expect(page.getByText("Olga, a guest also watching")).toBeVisible();

  await page.getByRole("button", { name: "More" }).click();
  await page.getByRole("menuitem", { name: "Share a read-only link" }).click();
  await page.getByRole("button", { name: "End it now" }).click();
  await expect(guest.getByText("This link has ended.")).toBeVisible();
  await guest.reload();
  await expect(guest.getByText("This link has ended.")).toBeVisible();
  expect(asked.filter((url) => url.includes("bls_"))).toEqual([]);
  await agent.close();
});

test("W2 a lost connection resumes at the byte where it stopped", async ({ page, gateway }) => {
  let drop = () => {};
  let isCut = false;
  await page.routeWebSocket(/\/ws(\?|$)/, (socket) => {
    if (isCut) return void socket.close();
    const server = socket.connectToServer();
    drop = () => {
      isCut = true;
      void socket.close();
      void server.close();
    };
  });
  await signIn(page, gateway);
  const agent = await gateway.connectAgent("builder");
  await run(agent, "echo before");
  const screen = await openTerminal(page);
  await expect(screen).toContainText("before");

  drop();
  await expect(page.getByText("Connection lost, trying again …")).toBeVisible();
  await run(agent, "echo meanwhile");
  isCut = false;

  await expect(page.getByText("Live, read-only")).toBeVisible();
  await run(agent, "echo after");
  const rows = screen.locator("div");
  await expect(rows.filter({ hasText: /^after$/ })).toHaveCount(1);
  // Nothing is missing, and nothing is duplicated.
  for (const printed of [/^before$/, /^meanwhile$/]) await expect(rows.filter({ hasText: printed })).toHaveCount(1);
  await agent.close();
});

test("W2 a flood, and sequences that would hang an emulator, leave the page and the terminal beside it usable", async ({
  page,
  gateway,
}) => {
  await signIn(page, gateway);
  const agent = await gateway.connectAgent("builder");
  const flood = "while :; do seq 1 20000; printf '\\033[2147483647b\\033[2147483647L\\033[2147483647S'; done";
  await run(agent, flood, { background: true });
  await run(agent, "echo a quiet one");
  const cards = page.getByRole("list", { name: /^Terminals/ }).getByRole("link");
  await expect(cards).toHaveCount(2);
  await cards.filter({ hasText: "running while" }).click();
  await expect(page.getByText("Live, read-only")).toBeVisible();

  await page.getByRole("button", { name: "More" }).click();
  await page.getByRole("menuitem", { name: "Open another beside it" }).click();
  await page
    .getByRole("dialog")
    .getByRole("button", { name: /at the prompt/ })
    .click();
  await expect(page.getByRole("region", { name: /^Terminal pty-/ })).toHaveCount(2);
  await expect(page.getByText("Live, read-only")).toHaveCount(2);

  const flooding = page.getByRole("region", { name: /^Terminal pty-/ }).first();
  await flooding.getByRole("button", { name: "More" }).click();
  await page.getByRole("menuitem", { name: "End the terminal" }).click();
  await page.getByRole("button", { name: "End it" }).click();
  await expect(flooding.getByText(/^Ended/)).toBeVisible();
  await flooding.getByRole("button", { name: "Close this pane" }).click();
  await expect(page.getByRole("region", { name: /^Terminal pty-/ })).toHaveCount(1);
  await agent.close();
});
