import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { judge } from "../judge.ts";
import { defaultPolicy } from "../settings/policy.ts";
import { isMovable, MUTATIONS } from "./mutations.ts";

/** `npm run fuzz` tries every line with every mutation; `npm test` a quarter of them with each. */
const TRIES_ALL = process.env.FUZZ_SCRIPTS !== undefined;

const STRICTNESS = ["allow", "ask", "deny"];

interface Line {
  readonly command: string;
  readonly shell?: string;
  readonly before?: readonly string[];
  readonly typed?: unknown;
  readonly env?: Readonly<Record<string, string>>;
}

/** Every labelled line that does not simply run, without duplicates. */
function linesOf(...names: string[]): string[] {
  const lines = names.flatMap((name) =>
    readFileSync(new URL(`../corpus/${name}`, import.meta.url), "utf8")
      .split("\n")
      .filter((line) => line !== "")
      .map((line): Line => JSON.parse(line)),
  );
  const plain = lines.filter(({ shell, before, typed, env }) => !shell && !before && !typed && !env);
  return [...new Set(plain.map(({ command }) => command))].filter(isMovable);
}

const decide = (text: string) => STRICTNESS.indexOf(judge(text, {}, defaultPolicy).decision);
const strict = linesOf("corpus.jsonl", "siblings.jsonl", "redteam.jsonl")
  .map((line) => ({ line, before: decide(line) }))
  .filter(({ before }) => before > 0);

describe("P84 an equivalent command is never judged less strictly", () => {
  it("has lines to try", () => {
    expect(strict.length).toBeGreaterThan(1_000);
  });

  it.each(MUTATIONS.map((mutation, at) => ({ ...mutation, at })))("$name", ({ apply, at }) => {
    const chosen = TRIES_ALL ? strict : strict.filter((_, index) => index % 4 === at % 4);
    const looser = chosen.flatMap(({ line, before }) => {
      const changed = apply(line);
      if (changed === null) return [];
      const after = decide(changed);
      return after < before ? [`${STRICTNESS[before]} → ${STRICTNESS[after]}: ${changed}`] : [];
    });

    expect(looser).toEqual([]);
  });
});
