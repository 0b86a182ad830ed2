import { expect, test } from "vitest";
import { judge } from "./judge.ts";
import { knownMisuses } from "./misuse.ts";
import { createPolicy, defaultPolicy } from "./settings/policy.ts";
import { SecuritySettings, TeamRule } from "./settings/schema.ts";

const rule = (given: object) => TeamRule.parse({ id: "allow-it", decision: "allow", ...given });

test("X11 a rule for exactly one command allows none of the known misuses", () => {
  const own = rule({ program: "invented-tool", args: ["--check"], exactArgs: true, match: ["invented-tool --check"] });

  expect(letThrough(own)).toEqual([]);
  expect(knownMisuses(own).length).toBeGreaterThan(5);
});

test("X11 options that run code, write or destroy are among the misuses, and what the table lists", () => {
  const misuses = knownMisuses(rule({ program: "git", args: ["log"], match: ["git log"] }));

  expect(misuses).toContainEqual({
    command: "git log --show-signature",
    how: "with an option that runs code",
  });
  expect(misuses.some(({ how }) => how === "known not to be harmless")).toBe(true);
  expect(misuses.map(({ command }) => command)).not.toContain("git log");
});

test("X11 a rule for a whole program that can publish allows some of them", () => {
  expect(letThrough(rule({ program: "git", match: ["git push"] }))).not.toEqual([]);
});

function letThrough(own: TeamRule): string[] {
  const policy = createPolicy(SecuritySettings.parse({ rules: [own] }));
  const decide = (text: string, by: typeof policy) => judge(text, {}, by).decision;
  return knownMisuses(own)
    .map(({ command }) => command)
    .filter((command) => decide(command, policy) === "allow" && decide(command, defaultPolicy) !== "allow");
}
