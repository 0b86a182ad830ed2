import { expect, test } from "vitest";
import { readValues } from "./draft-text.ts";
import { mergeDrafts, settleConflict } from "./merge-drafts.ts";

const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;

function merge(base: unknown, theirs: unknown, mine: unknown) {
  const merged = mergeDrafts({ base: json(base), theirs: json(theirs), mine: json(mine) });
  return { ...merged, values: readValues(merged?.text ?? "") };
}

test("W4 what only one side changed comes together, in objects, rules and lists", () => {
  const base = {
    pagers: false,
    limits: { terminals: 5, commandBytes: 1_024 },
    rules: [
      { id: "one", decision: "ask" },
      { id: "two", decision: "deny" },
    ],
    blockedCommands: ["a", "b"],
  };
  const theirs = {
    ...base,
    limits: { terminals: 9, commandBytes: 1_024 },
    rules: [
      { id: "two", decision: "ask" },
      { id: "three", decision: "deny" },
    ],
    blockedCommands: ["b", "c"],
    rewrites: "off",
  };
  const mine = {
    ...base,
    pagers: true,
    limits: { terminals: 5, commandBytes: 2_048 },
    rules: [...base.rules, { id: "four", decision: "allow" }],
    blockedCommands: ["a", "b", "d"],
  };

  const { values, conflicts } = merge(base, theirs, mine);

  expect(conflicts).toEqual([]);
  expect(values).toEqual({
    pagers: true,
    limits: { terminals: 9, commandBytes: 2_048 },
    rules: [
      { id: "two", decision: "ask" },
      { id: "four", decision: "allow" },
      { id: "three", decision: "deny" },
    ],
    blockedCommands: ["b", "d", "c"],
    rewrites: "off",
  });
});

test("W4 what both changed is a conflict that leaves the draft as it is until a person chooses", () => {
  const base = { rules: [{ id: "one", decision: "ask" }], rewrites: "ask" };
  const theirs = { rules: [{ id: "one", decision: "deny" }] };
  const mine = { rules: [{ id: "one", decision: "allow", reason: "why" }], rewrites: "off" };

  const { text = "", conflicts = [], values } = merge(base, theirs, mine);

  expect(values).toEqual(mine);
  expect(conflicts).toEqual([
    { path: ["rules", "one", "decision"], base: "ask", theirs: "deny", mine: "allow" },
    { path: ["rewrites"], base: "ask", theirs: undefined, mine: "off" },
  ]);
  const settled = conflicts.reduce((draft, conflict) => settleConflict(draft, conflict, conflict.theirs), text);
  expect(readValues(settled)).toEqual({ rules: [{ id: "one", decision: "deny", reason: "why" }] });
});

test("W4 the draft keeps its comments and its order; both sides alike is no change; broken text is left to people", () => {
  const mine = '{\n  // why\n  "pagers": true\n}\n';

  expect(mergeDrafts({ base: "{}", theirs: '{"rewrites":"off"}', mine })?.text).toBe(
    '{\n  // why\n  "pagers": true,\n  "rewrites": "off"\n}\n',
  );
  expect(mergeDrafts({ base: "{}", theirs: '{"pagers":true}', mine })).toEqual({
    text: mine,
    taken: [],
    conflicts: [],
  });
  expect(mergeDrafts({ base: "{}", theirs: "{", mine })).toBeNull();
  expect(
    mergeDrafts({ base: "{}", theirs: '{"rules":[{"id":"x"}],"safeCommands":["ls"]}', mine: "{}" })?.text,
  ).toContain('"ls"');
});
