import { SecuritySettings } from "@belay/policy";
import { expect, test } from "vitest";
import { onlyTightens } from "./only-tightens.ts";

const rule = (decision: "allow" | "ask" | "deny", program: string) => ({ id: `r-${program}`, decision, program });
const defaults = SecuritySettings.parse({});

const TIGHTER: [name: string, before: object, after: object][] = [
  ["nothing", {}, {}],
  ["the URL of the schema", {}, { $schema: "./schema.json" }],
  ["the wall that the machine has", {}, { isolation: "auto" }],
  ["the strongest wall in place of any", { isolation: "auto" }, { isolation: "container" }],
  ["one more deny pattern", { commandDenyPatterns: ["a"] }, { commandDenyPatterns: ["b", "a"] }],
  ["one more approval pattern", {}, { commandApprovalPatterns: ["a"] }],
  ["fewer safe commands", {}, { safeCommands: defaults.safeCommands.slice(1) }],
  ["one more blocked command", {}, { blockedCommands: [...defaults.blockedCommands, "invented"] }],
  ["one more protected path", {}, { protectedPaths: [...defaults.protectedPaths, "~/secret"] }],
  ["less ordinary work", {}, { ordinaryWork: { checks: false } }],
  ["a stricter profile", {}, { profiles: { trusted: { safe: "ask", unknown: "ask", dangerous: "deny" } } }],
  ["a new, unused profile", {}, { profiles: { mine: { safe: "allow" } } }],
  ["a rule that denies", { rules: [rule("allow", "a")] }, { rules: [rule("allow", "a"), rule("deny", "b")] }],
  ["a rule that allowed is gone", { rules: [rule("allow", "a")] }, { rules: [] }],
  ["another reason", { rules: [rule("deny", "a")] }, { rules: [{ ...rule("deny", "a"), reason: "Because." }] }],
  ["more approvers", {}, { approval: { approversNeeded: 2 } }],
  ["fewer who may approve", {}, { approval: { approvers: ["admin"] } }],
  ["rewrites off", {}, { rewrites: "off" }],
];

const NOT_PROVED: [name: string, before: object, after: object][] = [
  [
    "a deny pattern that became an approval pattern",
    { commandDenyPatterns: ["a"] },
    { commandApprovalPatterns: ["a"] },
  ],
  ["a deny pattern that is spelled differently", { commandDenyPatterns: ["a"] }, { commandDenyPatterns: ["a$"] }],
  ["one more safe command", {}, { safeCommands: [...defaults.safeCommands, "invented"] }],
  ["no dangerous commands", { dangerousCommands: ["^some-tool"] }, { dangerousCommands: [] }],
  ["more ordinary work", { ordinaryWork: { checks: false } }, {}],
  ["a list that falls back to the default", { blockedCommands: ["x", ...defaults.blockedCommands] }, {}],
  ["a looser profile", {}, { profiles: { standard: { unknown: "allow" } } }],
  ["a profile is gone", { profiles: { mine: {} } }, {}],
  ["another default profile", {}, { defaultProfile: "restricted" }],
  ["a rule that allows", {}, { rules: [rule("allow", "a")] }],
  [
    "an allow rule that reaches further",
    { rules: [{ ...rule("allow", "a"), args: ["b"] }] },
    { rules: [rule("allow", "a")] },
  ],
  ["a rule that denied is gone", { rules: [rule("deny", "a")] }, { rules: [] }],
  ["a deny that asks", { rules: [rule("deny", "a")] }, { rules: [rule("ask", "a")] }],
  ["substitution in spawns", {}, { spawn: { blockSubstitution: false } }],
  ["more terminals", {}, { limits: { terminalsPerAgent: 99 } }],
  ["longer to answer", {}, { approval: { timeouts: { unknownMs: 3_600_000 } } }],
  ["a wall that may be weaker than that of the machine", { isolation: "auto" }, { isolation: "sandbox" }],
  ["a wall of the machine that may be weaker", { isolation: "container" }, { isolation: "auto" }],
  ["rewrites that run", {}, { rewrites: "run" }],
  ["a shorter record", {}, { retention: { auditDays: 1 } }],
  ["one stricter thing beside a looser one", {}, { commandDenyPatterns: ["a"], rewrites: "run" }],
];

test.each(TIGHTER)("S6 it only tightens: %s", (_name, before, after) => {
  expect(onlyTightens(SecuritySettings.parse(before), SecuritySettings.parse(after))).toBe(true);
});

test.each(NOT_PROVED)("S6 not proven to tighten: %s", (_name, before, after) => {
  expect(onlyTightens(SecuritySettings.parse(before), SecuritySettings.parse(after))).toBe(false);
});
