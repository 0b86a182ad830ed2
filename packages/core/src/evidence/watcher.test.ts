import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Watcher } from "./watcher.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("D2 a command that is over before anybody looks costs no look", async () => {
  const looks: number[] = [];
  let isBusy = true;
  const watcher = new Watcher({ isNeeded: () => isBusy, look: async (silentMs) => void looks.push(silentMs) });
  watcher.touch();
  isBusy = false;
  await vi.advanceTimersByTimeAsync(1_000);
  expect(looks).toEqual([]);

  isBusy = true;
  watcher.touch();
  await vi.advanceTimersByTimeAsync(60);

  expect(looks).toHaveLength(1);
  watcher.stop();
});
