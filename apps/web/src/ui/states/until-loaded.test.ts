import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { untilLoaded } from "./until-loaded.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test("W11 a part of a page is loaded as soon as the gateway is back", async () => {
  let isUp = false;
  const load = vi.fn(async () => {
    if (!isUp) throw new Error("not reachable");
    return "part";
  });

  const part = untilLoaded(load)();
  await vi.advanceTimersByTimeAsync(10_000);
  const triesMeanwhile = load.mock.calls.length;
  isUp = true;
  await vi.advanceTimersByTimeAsync(10_000);

  expect(await part).toBe("part");
  expect(triesMeanwhile).toBeGreaterThan(3);
});

test("W11 a part that can never be loaded, such as one of an older version, fails in the end", async () => {
  const part = untilLoaded(() => Promise.reject(new Error("gone")))();
  const failure = expect(part).rejects.toThrow("gone");
  await vi.advanceTimersByTimeAsync(300_000);
  await failure;
});
