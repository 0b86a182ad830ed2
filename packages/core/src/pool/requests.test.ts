import { expect, test } from "vitest";
import { KeyboardReader } from "./requests.ts";

test("G6 understands how a host of an earlier version says that no program reads", () => {
  expect(KeyboardReader.parse({ kind: "nobody" })).toEqual({ kind: "none" });
  expect(KeyboardReader.parse({ kind: "none" })).toEqual({ kind: "none" });
});
