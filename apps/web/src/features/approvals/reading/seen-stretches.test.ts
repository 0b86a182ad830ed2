import { expect, test } from "vitest";
import { SeenStretches, type Stretch } from "./seen-stretches.ts";

const after = (...stretches: [number, number][]) => {
  const seen = new SeenStretches();
  for (const [from, to] of stretches) seen.add({ from, to });
  return seen.gaps(1000).map(({ from, to }: Stretch) => [from, to]);
};

test("S14 a text is seen once every stretch of it was on the screen, in any order", () => {
  expect(after()).toEqual([[0, 1000]]);
  expect(after([0, 360])).toEqual([[360, 1000]]);
  expect(after([640, 1000], [0, 360], [340, 650])).toEqual([]);
});

test("S14 a jump to the end leaves the middle unseen", () => {
  expect(after([0, 300], [700, 1000])).toEqual([[300, 700]]);
  expect(after([0, 300], [400, 600], [700, 1000])).toEqual([
    [300, 400],
    [600, 700],
  ]);
});

test("S14 rounding leaves no gap, and half a line is one", () => {
  expect(after([0, 498], [502, 996])).toEqual([]);
  expect(after([0, 490], [500, 1000])).toEqual([[490, 500]]);
});

test("S14 a text without height has no gap", () => {
  expect(new SeenStretches().gaps(0)).toEqual([]);
});
