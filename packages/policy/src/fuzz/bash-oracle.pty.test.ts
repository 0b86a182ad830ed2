import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { completeContext } from "../context.ts";
import { readCommand } from "../read-command.ts";
import { generateScript } from "./script-generator.ts";

/** `npm run fuzz` sets these for a long run; `npm test` takes a bounded one. */
const COUNT = Number(process.env.FUZZ_SCRIPTS ?? 150);
const SEED = Number(process.env.FUZZ_SEED ?? 1);

/** Bash tells this function about every program that it cannot find, and on this PATH that is every one. */
const PRELUDE = `
PATH=/nowhere
command_not_found_handle() { builtin printf '%s\\n' "$1" >> "$ORACLE_LOG"; return 0; }
export -f command_not_found_handle
`;

let directory = "";
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), "belay-fuzz-"));
});
afterAll(() => rmSync(directory, { recursive: true }));

let runs = 0;

function runInBash(script: string): string[] {
  // A process substitution may outlive its shell, and must not write into the next one's log.
  runs += 1;
  const log = join(directory, `log-${runs}`);
  writeFileSync(log, "");
  const env = { ORACLE_LOG: log, PATH: "/nowhere", HOME: directory };
  spawnSync("/bin/bash", ["--norc", "--noprofile", "-c", `${PRELUDE}\n${script}`], {
    cwd: directory,
    env,
    timeout: 5_000,
    input: "",
  });
  return readFileSync(log, "utf8")
    .split("\n")
    .filter((line) => line !== "");
}

/** Programs that bash ran and that the walk did not see, where nothing says that it could not know. */
function missedBy(script: string): string[] {
  const read = readCommand(script, completeContext({ home: directory }, "standard"));
  const isOpen = read.notes.some(({ kind }) => /^(dynamic|unparseable|uncovered|too-complex|incomplete)/.test(kind));
  const seen = new Set(read.invocations.map(({ program }) => program));
  const missed = [...new Set(runInBash(script))].filter((program) => !seen.has(program));
  return isOpen ? [] : missed;
}

describe("P2 what bash runs is what is judged", () => {
  it(`in ${COUNT} generated scripts from seed ${SEED}`, { timeout: 3_600_000 }, () => {
    for (let at = 0; at < COUNT; at += 1) {
      const seed = SEED * 1_000_003 + at;
      const script = generateScript(seed);

      expect(missedBy(script), `seed ${seed}:\n${script}`).toEqual([]);
    }
  });
});
