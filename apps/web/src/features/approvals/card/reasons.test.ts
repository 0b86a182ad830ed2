import type { RuleMatch } from "@belay/protocol";
import { expect, test } from "vitest";
import { dangerWords } from "../answer/undo-words.ts";
import { reasonsOf } from "./reasons.ts";

const match = (rule: string, reason: string): RuleMatch => ({
  rule,
  reason,
  layer: "level",
  decision: "ask",
  span: null,
});

test("W3 each cause gives one reason", () => {
  const deletes = match("delete-files", "Deletes files.");
  const unknown = match("unknown-program", '"rm" is not known to be safe.');

  expect(reasonsOf({ matches: [unknown, deletes, { ...deletes }] })).toEqual([deletes]);
  expect(reasonsOf({ matches: [unknown] })).toEqual([unknown]);
});

test("W3 a removal to the trash is not described as permanent", () => {
  expect(dangerWords({ runs: ["rm -r build", "rm x"], surface: "execute" })).toContain("goes to the trash");
  expect(dangerWords({ runs: ["rm -r build", "dd if=x of=y"], surface: "execute" })).toContain("can’t be undone");
  expect(dangerWords({ runs: ["sudo rm -r build"], surface: "execute" })).toContain("can’t be undone");
});
