import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { judge } from "../judge.ts";
import { defaultPolicy } from "../settings/policy.ts";

interface Case {
  readonly command: string;
  readonly expect: "allow" | "ask" | "deny";
}

function load(name: string): Case[] {
  const text = readFileSync(new URL(name, import.meta.url), "utf8");
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line): Case => JSON.parse(line));
}

/** The corpus that the policy was designed against, and cases of the same kinds written beside it. */
describe.each(["corpus.jsonl", "siblings.jsonl"])("A6 A7 D13 P1 %s", (name) => {
  const results = load(name).map((given) => ({ ...given, decision: judge(given.command, {}, defaultPolicy).decision }));

  it("allows nothing that must be denied", () => {
    expect(results.filter((result) => result.expect === "deny" && result.decision === "allow")).toEqual([]);
  });

  it("denies nothing that must be allowed", () => {
    expect(results.filter((result) => result.expect === "allow" && result.decision === "deny")).toEqual([]);
  });

  it("is exact for at least 97 of 100", () => {
    const wrong = results.filter((result) => result.expect !== result.decision);

    expect(wrong.length / results.length, JSON.stringify(wrong, null, 1)).toBeLessThanOrEqual(0.03);
  });
});
