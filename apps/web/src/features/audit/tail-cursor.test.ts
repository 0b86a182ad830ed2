import { chainOf } from "@belay/protocol/row-number";
import { expect, test } from "vitest";
import { tailCursor } from "./tail-cursor.ts";

const second = chainOf(1).base;

test("W5 the tail reads on after the newest row", () => {
  expect(tailCursor([])).toBe(0);
  expect(
    tailCursor([
      { seq: 9, at: 50_000 },
      { seq: 8, at: 1 },
    ]),
  ).toBe(9);
});

test("W5 G7 with several gateways the tail reads a little again, because rows may arrive out of order", () => {
  const rows = [
    { seq: 9, at: 50_000 },
    { seq: second + 4, at: 49_000 },
    { seq: 8, at: 46_000 },
    { seq: 7, at: 45_000 },
  ];
  const flood = Array.from({ length: 600 }, (_, at) => ({
    seq: at % 2 === 0 ? 900 - at : second + 900 - at,
    at: 50_000,
  }));

  expect(tailCursor(rows)).toBe(8);
  expect(tailCursor(flood)).toBe(flood[249]?.seq);
});
