import { expect, it } from "vitest";
import { judge } from "../judge.ts";
import { suggestRule } from "../suggest-rule.ts";
import { addRulesToText } from "./add-rules.ts";
import { defaultPolicy } from "./policy.ts";
import type { TeamRule } from "./schema.ts";
import { loadSecurityFile } from "./security-file.ts";

const [suggestion] = suggestRule("some-tool build", {}, defaultPolicy);
const rule = suggestion?.rule as TeamRule;

it("W3 a rule is added to an empty file, which then allows its command", () => {
  const loaded = loadSecurityFile(addRulesToText("", [rule]));
  expect(loaded.ok && judge("some-tool build", {}, loaded.policy).decision).toBe("allow");
});

it("W3 comments and existing content stay", () => {
  const text = `{\n  // ours\n  "defaultProfile": "standard",\n  "rules": [\n    { "id": "a", "decision": "ask", "program": "make" },\n  ],\n}\n`;
  const added = addRulesToText(text, [rule, rule]);
  expect(added).toContain("// ours");
  expect(added).toContain('"defaultProfile": "standard"');
  const loaded = loadSecurityFile(added);
  expect(loaded.ok && loaded.policy.settings.rules.map(({ id }) => id)).toEqual(["a", rule.id, `${rule.id}-2`]);
});
