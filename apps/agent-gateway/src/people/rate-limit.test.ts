import { expect, onTestFinished, test, vi } from "vitest";
import { createRateLimit } from "./rate-limit.ts";

const RULE = { window: 60, max: 2 };

test("G4 setting the clock back an hour does not lock people out for an hour", async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const limit = createRateLimit();
  for (let tries = 0; tries < RULE.max; tries += 1) await limit.consume("203.0.113.7", RULE);

  vi.setSystemTime(Date.now() - 3_600_000);
  const atOnce = await limit.consume("203.0.113.7", RULE);
  vi.advanceTimersByTime(RULE.window * 1000);
  const later = await limit.consume("203.0.113.7", RULE);

  expect(atOnce).toEqual({ allowed: false, retryAfter: 60 });
  expect(later).toEqual({ allowed: true, retryAfter: null });
});
