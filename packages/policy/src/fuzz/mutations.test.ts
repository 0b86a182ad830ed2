import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { judge } from "../judge.ts";
import { defaultPolicy } from "../settings/policy.ts";
import { isMovable, MUTATIONS } from "./mutations.ts";
import { Random } from "./random.ts";

/** `npm run fuzz` tries every line with every mutation; `npm test` a quarter of them with each. */
const TRIES_ALL = process.env.FUZZ_SCRIPTS !== undefined;
/** How many lines get two or three nested mutations, and over how many tests they are spread. */
const STACKED = Number(process.env.FUZZ_SCRIPTS ?? 400) * 5;
const ROUNDS = 5;
const SEED = Number(process.env.FUZZ_SEED ?? 1);
/** A busy machine takes several times as long. */
const TIMEOUT_MS = TRIES_ALL ? 1_800_000 : 120_000;

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
  it("there are lines to try", () => {
    expect(strict.length).toBeGreaterThan(1_000);
  });

  it.each(MUTATIONS.map((mutation, at) => ({ ...mutation, at })))(
    "$name",
    ({ apply, at }) => {
      const chosen = TRIES_ALL ? strict : strict.filter((_, index) => index % 4 === at % 4);
      const looser = chosen.flatMap(({ line, before }) => {
        const changed = apply(line);
        if (changed === null) return [];
        const after = decide(changed);
        return after < before ? [`${STRICTNESS[before]} → ${STRICTNESS[after]}: ${changed}`] : [];
      });

      expect(looser).toEqual([]);
    },
    TIMEOUT_MS,
  );
});

/** Every file with lines that ask or are denied. Lines are judged when they are drawn. */
const anyLine = linesOf(
  "corpus.jsonl",
  "siblings.jsonl",
  "redteam.jsonl",
  "options.jsonl",
  "attacks.jsonl",
  "friction.jsonl",
);

describe("P84 a command with several mutations is never judged less strictly", () => {
  it.each(Array.from({ length: ROUNDS }, (_, round) => SEED + round))(
    "from seed %i",
    (seed) => {
      const random = new Random(seed);
      const looser: string[] = [];
      for (let left = STACKED / ROUNDS; left > 0; left -= 1) {
        const line = random.pick(anyLine);
        const changed = stack(line, random);
        if (changed === null) continue;
        const [before, after] = [decide(line), decide(changed)];
        // With too many wrappers the answer is `ask` in every profile, whatever is inside.
        if (after < before && !isTooComplex(changed))
          looser.push(`${STRICTNESS[before]} → ${STRICTNESS[after]}: ${line}\n${changed}`);
      }

      expect(looser).toEqual([]);
    },
    TIMEOUT_MS,
  );
});

const isTooComplex = (text: string) =>
  judge(text, {}, defaultPolicy).matches.some(({ rule, decision }) => rule === "too-complex" && decision === "ask");

/** Null if none of the drawn mutations applies. */
function stack(line: string, random: Random): string | null {
  // `xargs` runs its command with empty input, so a nested `xargs` would do nothing.
  const usable = /\b(?:xargs|parallel)\b/.test(line) ? MUTATIONS.filter(({ name }) => name !== "by xargs") : MUTATIONS;
  let changed: string | null = null;
  for (let left = 2 + random.below(2); left > 0; left -= 1) {
    const next = random.pick(usable).apply(changed ?? line);
    // Longer text is too complex to judge, which would prove nothing.
    if (next !== null && next.length < 4_000) changed = next;
  }
  return changed;
}
