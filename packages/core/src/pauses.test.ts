import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Pauses } from "./pauses.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Works for this long, and returns how long the pause after it takes. */
async function pauseAfter(pauses: Pauses, workedMs: number): Promise<number> {
  vi.advanceTimersByTime(workedMs);
  const startedAt = performance.now();
  const paused = pauses.pause();
  await vi.advanceTimersToNextTimerAsync();
  await paused;
  return performance.now() - startedAt;
}

test("W6 work that may take a quarter of the time pauses three times as long as it works", async () => {
  const pauses = new Pauses(0.25);

  expect(await pauseAfter(pauses, 10)).toBe(30);
  expect(await pauseAfter(pauses, 40)).toBe(120);
});
