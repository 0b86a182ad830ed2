import { expect, test } from "vitest";
import { appendRules, changeValue, formatText, readValues } from "./draft-text.ts";

const TEXT = `{
  // What this team agreed on.
  "rules": [
    { "id": "one", "decision": "deny", "program": "one" } // as it was
  ],
  "pagers": true,
}
`;

test("W4 changing one value keeps comments, order and everything else", () => {
  const changed = changeValue(changeValue(TEXT, ["rules", 0, "decision"], "ask"), ["limits", "spawnsPerMinute"], 9);

  expect(changed).toContain("// What this team agreed on.");
  expect(changed).toContain('{ "id": "one", "decision": "ask", "program": "one" } // as it was');
  expect(readValues(changed)).toMatchObject({ pagers: true, limits: { spawnsPerMinute: 9 } });
  expect(readValues(changeValue(changed, ["pagers"], undefined))).not.toHaveProperty("pagers");
});

test("W4 rules are appended, even to an empty or missing list", () => {
  const rule = { id: "two", decision: "allow", program: "two" };

  expect(readValues(appendRules("{}\n", [rule, { ...rule, id: "three" }]))?.rules).toMatchObject([
    { id: "two" },
    { id: "three" },
  ]);
  expect(appendRules(TEXT, [rule])).toContain("// as it was");
  expect(readValues(appendRules(TEXT, [rule]))?.rules).toHaveLength(2);
});

test("W4 an invalid text is reported, and can still be formatted", () => {
  expect(readValues("{")).toBeNull();
  expect(readValues("[]")).not.toBeNull();
  expect(formatText('{"pagers":true}')).toBe('{\n  "pagers": true\n}');
});
