import type { Page } from "@playwright/test";
import { expect, readToTheEnd, run, signIn, test } from "./gateway.ts";

test("W3 W11 a long queue: keys keep the focused row visible, and questions older than a day can be cleared", async ({
  page,
  gateway,
  browser,
}) => {
  await page.setViewportSize({ width: 1280, height: 700 });
  await signIn(page, gateway);
  await page.goto(`${gateway.url}/approvals`);
  const agent = await gateway.connectAgent("builder");
  const rows = page.getByRole("list", { name: "Waiting for you" }).getByRole("button");
  const replies: Promise<unknown>[] = [];
  for (let count = 1; count <= 14; count += 1) {
    replies.push(run(agent, `invented-tool --step ${count}`));
    await expect(rows).toHaveCount(count);
  }
  await rows.first().click();
  const detail = page.getByRole("region", { name: "builder asks" });
  const top = (await detail.boundingBox())?.y;
  for (let step = 1; step < 14; step += 1) {
    await page.keyboard.press("j");
    await expect(rows.nth(step)).toHaveAttribute("aria-current", "true");
  }

  await expect(rows.last()).toBeInViewport({ ratio: 1 });
  await expect(rows.last()).toBeFocused();
  await expect(rows.last()).toHaveAttribute("aria-current", "true");
  await expect(detail).toContainText("invented-tool --step 14");
  await expect.poll(async () => (await detail.boundingBox())?.y).toBe(top);
  await page.keyboard.press("k");
  await page.keyboard.press("Enter");
  await expect(detail).toContainText("invented-tool --step 13");

  const later = await (await browser.newContext()).newPage();
  await later.clock.setFixedTime(Date.now() + 2 * 24 * 3_600_000);
  await signIn(later, gateway);
  await later.goto(`${gateway.url}/approvals`);
  await later.getByRole("button", { name: "Clear 14 older than a day" }).click();
  await later.getByRole("button", { name: "Refuse them" }).click();
  await expect(later.getByText("Nothing is waiting for you")).toBeVisible();
  await Promise.all(replies);
  await agent.close();
});

test("W3 flagged parts below the fold are counted and must be seen before approving", async ({ page, gateway }) => {
  await page.setViewportSize({ width: 1280, height: 700 });
  await signIn(page, gateway);
  const agent = await gateway.connectAgent("builder");
  const strange = run(agent, "invented-tool l\u043edash a\u00a0b\u2028c");
  const named = "l<U+043E>dash a<U+00A0>b<U+2028>c";
  await expect(page.getByRole("list", { name: /^Terminals/ })).toContainText(named);
  await page.goto(`${gateway.url}/approvals`);
  await expect(page.getByRole("list", { name: "Waiting for you" })).toContainText(named);
  await page.getByRole("button", { name: "Refuse" }).click();
  await page.keyboard.press("Enter");
  await strange;

  const steps = Array.from({ length: 40 }, (_, index) => `echo step ${index}`).join("\n");
  const reply = run(agent, `${steps}\nrm -r no-such-folder`);
  const asks = page.getByRole("region", { name: "builder asks" });
  const more = asks.getByRole("button", { name: /more lines, \d flagged$/ });
  await expect(more).toBeVisible();
  await expect(asks.getByRole("button", { name: "Run once" })).toBeDisabled();
  await more.click();
  await expect(asks.locator("mark", { hasText: "rm -r no-such-folder" })).toBeInViewport();
  await readToTheEnd(asks);
  await expect(asks.getByRole("button", { name: "Run once" })).toBeEnabled();
  await gateway.freeze();
  await Promise.all([agent.close(), reply.catch(() => {})]);
});

test("W1 five hundred terminals are grouped with counts, and only visible ones are drawn", async ({
  page,
  gateway,
}) => {
  const agent = await gateway.connectAgent("builder");
  await run(agent, "sleep 600", { background: true });
  const drawn = new Set<number>();
  await multiplyTerminals(page, 500, (count) => drawn.add(count));
  await signIn(page, gateway);

  await expect(page.getByRole("radio", { name: /^All\s*500$/ })).toBeVisible();
  await expect(page.getByRole("heading", { name: "Running (500)" })).toBeVisible();
  await expect(page.getByRole("list", { name: "Terminals: Running" }).getByRole("listitem")).toHaveCount(500);
  await expect.poll(() => drawn.size).toBeGreaterThan(0);
  expect(Math.max(...drawn)).toBeLessThanOrEqual(60);
  await page.getByLabel("Search terminals").fill("pty-copy499");
  await expect(page.getByRole("list", { name: "Terminals: Running" }).getByRole("listitem")).toHaveCount(1);
  // A request that is under way would fail when the gateway stops.
  await page.unrouteAll({ behavior: "ignoreErrors" });
  await agent.close();
});

/** Answers like a gateway with many terminals, and counts how many screens the page requests. */
async function multiplyTerminals(page: Page, count: number, onDrawn: (count: number) => void): Promise<void> {
  await page.route("**/trpc/**", async (route) => {
    const url = new URL(route.request().url());
    const names = url.pathname.slice("/trpc/".length).split(",");
    const input = JSON.parse(url.searchParams.get("input") ?? "{}") as Record<string, { ids?: string[] }>;
    const drawing = names.indexOf("terminals.miniatures");
    if (drawing >= 0) onDrawn(input[drawing]?.ids?.length ?? 0);
    const listing = names.indexOf("terminals.list");
    if (listing < 0) return route.continue();
    const response = await route.fetch();
    const answers = (await response.json()) as { result: { data: { id: string }[] } }[];
    const answer = answers[listing];
    const [first] = answer?.result.data ?? [];
    if (answer && first)
      answer.result.data = Array.from({ length: count }, (_, index) => ({ ...first, id: `pty-copy${index}` }));
    return route.fulfill({ response, json: answers });
  });
}
