import { readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { parseLabelled } from "./corpus/score.ts";
import { judge } from "./judge.ts";
import { CATALOG, programNamed } from "./programs/catalog/index.ts";
import { defaultPolicy, type Policy } from "./settings/policy.ts";
import type { TeamRule } from "./settings/schema.ts";
import { loadSecurityFile } from "./settings/security-file.ts";
import { suggestRule } from "./suggest-rule.ts";

const CONTEXT = { home: "/home/agent", workspace: "/home/agent/workspace" };
const FILES = ["corpus", "siblings", "friction", "daily", "fresh", "agents", "redteam", "options", "attacks"];

test("P74 suggesting a rule never throws, for any text", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 200 }), (text) => {
      expect(Array.isArray(suggestRule(text, CONTEXT, defaultPolicy))).toBe(true);
    }),
    { numRuns: 150 },
  );
});

test("P74 suggesting a rule never throws, for shell words in any order", () => {
  const words = [
    "git",
    "npm",
    "run",
    "-c",
    "--",
    '""',
    "''",
    "$x",
    "$(ls)",
    "|",
    "&&",
    "\n",
    ">",
    "a b",
    "{",
    "(",
    "`",
    "!",
    "é",
  ];

  fc.assert(
    fc.property(fc.array(fc.constantFrom(...words), { maxLength: 12 }), (parts) => {
      expect(Array.isArray(suggestRule(parts.join(" "), CONTEXT, defaultPolicy))).toBe(true);
    }),
    { numRuns: 150 },
  );
});

/** Each suggestion is proved by loading a policy with it, which takes a while. */
const EVERY = 20;

test.each(FILES)("P74 suggesting a rule never throws, for the lines of %s.jsonl", (name) => {
  const text = readFileSync(new URL(`./corpus/${name}.jsonl`, import.meta.url), "utf8");

  const lines = parseLabelled(text).filter((_line, at) => at % EVERY === 0);

  for (const { command } of lines) expect(Array.isArray(suggestRule(command, CONTEXT, defaultPolicy))).toBe(true);
});

/** A policy in which everyday work asks, so that there is something to suggest a rule for. */
const CAREFUL = { ordinaryWork: { checks: false, lockedInstalls: false, versionControl: false, remoteReads: false } };

test("P76 a suggested rule is not widened by an option that runs code", () => {
  const careful = loaded(CAREFUL);
  const rules = new Map<string, TeamRule>();
  for (const { spec } of CATALOG)
    for (const example of spec.runs)
      for (const { rule } of suggestRule(example, CONTEXT, careful))
        if (rule !== null && rule.exactArgs !== true) rules.set(rule.id, rule);

  const widened = [...rules.values()].flatMap((rule) => {
    const policy = loaded({ ...CAREFUL, rules: [rule] });
    return riskyOptionsOf(rule)
      .map((option) => `${rule.program} ${rule.args?.join(" ") ?? ""} ${option}`)
      .filter((command) => judge(command, CONTEXT, policy).decision === "allow");
  });

  expect(rules.size).toBeGreaterThan(20);
  expect(widened).toEqual([]);
});

/** The options of its program that run code or name another machine, unless they mean something else after its verb. */
function riskyOptionsOf({ program = "", args = [] }: TeamRule): string[] {
  const root = typeof program === "string" ? programNamed(program)?.root() : undefined;
  const [first] = args;
  const verb = typeof first === "string" ? root?.verbs?.get(first) : undefined;
  return [...(root?.options.named.values() ?? [])]
    .filter(({ name, kind }) => (kind === "code" || kind === "host") && verb?.options.named.has(name) !== true)
    .map(({ name, takes }) => (takes === "attached" ? `${name}=./x` : takes === "value" ? `${name} ./x` : name));
}

function loaded(settings: object): Policy {
  const result = loadSecurityFile(JSON.stringify(settings));
  if (!result.ok) throw new Error(JSON.stringify(result));
  return result.policy;
}

test.each([
  "cat .env",
  "some-tool db:drop",
  "xcrun simctl erase all",
  "hardhat run scripts/deploy.ts --network mainnet",
])("P75 there is no rule for what is dangerous by any of the built-in rules: %s", (text) => {
  expect(suggestRule(text, CONTEXT, defaultPolicy).map(({ rule }) => rule)).toEqual([null]);
});
