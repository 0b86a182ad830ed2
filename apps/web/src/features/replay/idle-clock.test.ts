import type { RecordingSegment } from "@belay/agent-gateway/router";
import { expect, test } from "vitest";
import { IdleClock } from "./idle-clock.ts";

const segment: RecordingSegment = {
  fromMs: 1_000,
  toMs: 71_000,
  cols: 80,
  rows: 24,
  events: [
    [1_000, "o", "screen"],
    [1_500, "o", "a"],
    [61_500, "o", "b"],
    [62_000, "o", "c"],
  ],
  isExact: true,
  nextPosition: null,
  endPosition: 3,
};

test("W6 pauses are shortened, and each clock converts to the other", () => {
  const clock = new IdleClock(segment, 1_000);

  expect(clock.events.map(([at]) => at)).toEqual([0, 500, 1_500, 2_000]);
  expect(clock.durationMs).toBe(3_000);
  expect(clock.toReal(500)).toBe(1_500);
  expect(clock.toReal(1_000)).toBe(31_500);
  expect(clock.toPlayed(31_500)).toBe(1_000);
  expect(clock.toPlayed(62_000)).toBe(2_000);
  expect(clock.toReal(99_999)).toBe(71_000);
  expect(clock.toPlayed(0)).toBe(0);
});

test("W6 without shortening, everything is played at its original time", () => {
  const clock = new IdleClock(segment, null);

  expect(clock.durationMs).toBe(70_000);
  expect(clock.toReal(12_345)).toBe(13_345);
});
