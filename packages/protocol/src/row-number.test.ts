import { expect, test } from "vitest";
import { chainOf, formatRow, placeOfRow } from "./row-number.ts";

test("G7 a row's number says which gateway wrote it", () => {
  const second = chainOf(1);

  expect(placeOfRow(1)).toEqual({ gateway: 0, row: 1 });
  expect(placeOfRow(second.base)).toEqual({ gateway: 0, row: second.base });
  expect(placeOfRow(second.base + 1)).toEqual({ gateway: 1, row: 1 });
  expect(placeOfRow(second.end)).toEqual({ gateway: 1, row: second.end - second.base });
  expect(Number.isSafeInteger(chainOf(9_000).end)).toBe(true);
  expect([formatRow(1_204), formatRow(second.base + 42)]).toEqual(["1204", "1:42"]);
});
