import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Watcher } from "./watcher.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("D2 a command that ends before the first check costs no check", async () => {
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

test("D2 a program that prints a line every now and then is soon left alone between them, and still looked at once it stops", async () => {
  const looks: number[] = [];
  const watcher = new Watcher({ isNeeded: () => true, look: async (silentMs) => void looks.push(silentMs) });
  for (let line = 0; line < 20; line += 1) {
    watcher.touch();
    await vi.advanceTimersByTimeAsync(100);
  }
  expect(looks.length).toBeLessThanOrEqual(4);
  const before = looks.length;

  await vi.advanceTimersByTimeAsync(1_000);

  expect(looks.length).toBeGreaterThan(before);
  watcher.stop();
});
