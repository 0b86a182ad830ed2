import { InvalidArgumentError } from "commander";
import { expect, test, vi } from "vitest";
import { parseDays, parseTime } from "./parse-time.ts";

test("G2 a time is a date, a moment, or how long ago", () => {
  vi.useFakeTimers({ now: Date.UTC(2026, 0, 31, 12) });

  expect(parseTime("2026-01-30")).toBe(Date.UTC(2026, 0, 30));
  expect(parseTime("2026-01-30T06:00Z")).toBe(Date.UTC(2026, 0, 30, 6));
  expect(parseTime("12h")).toBe(Date.UTC(2026, 0, 31));
  expect(parseTime("1d")).toBe(Date.UTC(2026, 0, 30, 12));
  for (const wrong of ["", "yesterday", "12", "5w", "-1d"])
    expect(() => parseTime(wrong)).toThrow(InvalidArgumentError);
  vi.useRealTimers();
});

test("G2 days are whole and at least one", () => {
  expect([parseDays("90d"), parseDays("7")]).toEqual([90, 7]);
  for (const wrong of ["", "0", "1.5", "3h", "-2"]) expect(() => parseDays(wrong)).toThrow(InvalidArgumentError);
});
