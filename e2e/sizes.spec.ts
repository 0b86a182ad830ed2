import { expect, openTerminal, run, signIn, test } from "./gateway.ts";

test("W2 four terminals side by side fit a small laptop, and a long dialog fits a short window", async ({
  page,
  gateway,
}) => {
  await page.setViewportSize({ width: 1366, height: 768 });
  await signIn(page, gateway);
  const agent = await gateway.connectAgent("builder");
  for (const seconds of [601, 602, 603, 604]) await run(agent, `sleep ${seconds}`, { background: true });
  await expect(page.getByRole("list", { name: /^Terminals/ }).getByRole("link")).toHaveCount(4);
  await openTerminal(page);
  const panes = page.getByRole("region", { name: /^Terminal pty-/ });
  for (let count = 2; count <= 4; count += 1) {
    await panes.first().getByRole("button", { name: "More" }).click();
    await page.getByRole("menuitem", { name: "Open another beside it" }).click();
    await page
      .getByRole("dialog")
      .getByRole("button", { name: /running/ })
      .first()
      .click();
    await expect(panes).toHaveCount(count);
  }
  for (const pane of await panes.all()) {
    await expect(pane).toBeInViewport({ ratio: 1 });
    for (const button of await pane.getByRole("button").all()) await expect(button).toBeInViewport({ ratio: 1 });
  }
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true);

  await page.setViewportSize({ width: 844, height: 390 });
  await panes.first().getByRole("button", { name: "More" }).click();
  await page.getByRole("menuitem", { name: "Share a read-only link" }).click();
  await expect(page.getByRole("dialog").getByRole("button", { name: "Close" })).toBeInViewport({ ratio: 1 });
  await page.getByRole("button", { name: "Create a link" }).click();
  await page.getByRole("button", { name: "End it now" }).scrollIntoViewIfNeeded();
  await expect(page.getByRole("button", { name: "End it now" })).toBeInViewport({ ratio: 1 });
  await agent.close();
});

test.describe("under a thumb", () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  test("W9 W11 every control is large enough, the frozen bar stays visible, and times have the exact moment", async ({
    page,
    gateway,
  }) => {
    await signIn(page, gateway);
    const agent = await gateway.connectAgent("builder");
    const steps = Array.from({ length: 30 }, (_, index) => `echo step ${index}`).join("\n");
    const reply = run(agent, `${steps}\ninvented-tool`);
    await page.goto(`${gateway.url}/approvals`);
    await expect(page.getByRole("region", { name: "builder asks" })).toBeVisible();
    await expect(page).toHaveTitle("(1) Approvals · Belay");
    const controls = page.locator("header button, nav a, nav button, [aria-label$=asks] button");
    // All at once: some of them disappear when their work is done.
    const small = () =>
      controls.evaluateAll((all) =>
        all
          .map((control) => ({ text: control.textContent ?? "", height: control.getBoundingClientRect().height }))
          .filter(({ text, height }) => height > 0 && height < 44 && !/^(There is more|Show it$)/.test(text)),
      );
    await expect.poll(small).toEqual([]);
    await expect(page.getByText(/^waiting for/).locator("time")).toHaveAttribute("title", /\d{4}/);

    await page.getByRole("button", { name: "Freeze all" }).tap();
    const bar = page.getByText("Every agent is frozen.");
    await expect(bar).toBeInViewport();
    await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
    await expect(bar).toBeInViewport();
    // The release button is in the bar, not beside the search.
    await expect(page.getByRole("banner").getByRole("button", { name: /Freeze|Release/ })).toHaveCount(0);
    await Promise.all([agent.close(), reply.catch(() => {})]);
  });
});

test("W11 shortcuts use the key names of the platform", async ({ page, gateway, browser }) => {
  await signIn(page, gateway);
  await expect(page.getByRole("button", { name: /^Go to … Ctrl K$/ })).toBeVisible();
  const mac = await (await browser.newContext()).newPage();
  await mac.addInitScript(() => Object.defineProperty(navigator, "platform", { get: () => "MacIntel" }));
  await signIn(mac, gateway);
  await expect(mac.getByRole("button", { name: /^Go to … ⌘K$/ })).toBeVisible();
});
