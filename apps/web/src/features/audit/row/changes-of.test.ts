import { expect, test } from "vitest";
import { changesOf } from "./changes-of.ts";

test("W5 before and after are side by side, changed fields first", () => {
  const detail = { before: { name: "a", maxTerminals: null }, after: { name: "a", maxTerminals: 3 }, note: "x" };

  expect(changesOf(detail)).toEqual([
    { name: "maxTerminals", before: null, after: 3, isChanged: true },
    { name: "name", before: "a", after: "a", isChanged: false },
  ]);
  expect(changesOf({ before: "viewer", after: "admin" })).toEqual([
    { name: "value", before: "viewer", after: "admin", isChanged: true },
  ]);
  expect(changesOf({ before: { id: 1 }, after: null })).toEqual([
    { name: "id", before: 1, after: undefined, isChanged: true },
  ]);
  expect(changesOf({ line: "ls" })).toBeNull();
});
