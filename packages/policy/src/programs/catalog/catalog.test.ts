import { describe, expect, it, test } from "vitest";
import { judge } from "../../judge.ts";
import { defaultPolicy } from "../../settings/policy.ts";
import { CATALOG } from "./index.ts";

const context = { home: "/home/agent", workspace: "/home/agent/workspace" };
const decisionOf = (text: string) => judge(text, context, defaultPolicy).decision;

/** Every table includes the command lines that prove it. */
describe.each(CATALOG.map((program) => [program.names[0] ?? "", program] as const))(
  "P90 %s",
  (_name, { spec, root }) => {
    it("reads its own table", () => {
      expect(root().spec).toBe(spec);
    });

    it("runs its `runs` examples", () => {
      expect(spec.runs.filter((text) => decisionOf(text) !== "allow")).toEqual([]);
    });

    it("asks about its `asks` examples", () => {
      expect(spec.asks.filter((text) => decisionOf(text) === "allow")).toEqual([]);
    });
  },
);

test("P90 no program has two tables", () => {
  const names = CATALOG.flatMap(({ names }) => names);

  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
});
