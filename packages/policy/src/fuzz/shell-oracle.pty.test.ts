import { spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { completeContext } from "../context.ts";
import { readCommand } from "../read-command.ts";
import { defaultPolicy } from "../settings/policy.ts";
import { generateScript, STAND_INS } from "./script-generator.ts";

/** `npm run fuzz` sets these for a long run; `npm test` does a short one. */
const COUNT = Number(process.env.FUZZ_SCRIPTS ?? 2_000);
const SEED = Number(process.env.FUZZ_SEED ?? 1);
/** How many scripts share one shell process. */
const BATCH = 50;

/** Notes that say that something is unknown. In that case a person is asked. */
const OPEN = /^(dynamic|unparseable|uncovered|too-complex|incomplete|other-shell|indirect|arithmetic-on-data)/;

/** Programs that the shell ran and the walk did not find, unless a note says that it could not know. */
function missedBy(script: string, ran: readonly string[], shell: string, home: string): string[] {
  const read = readCommand(script, completeContext({ home, shell }, defaultPolicy.settings));
  if (read.notes.some(({ kind }) => OPEN.test(kind))) return [];
  const seen = new Set(read.invocations.map(({ program }) => program));
  return [...new Set(ran)].filter((program) => !seen.has(program));
}

/** Real programs that run another one, and are harmless by themselves. */
const WRAPPERS = ["env", "timeout", "nice", "nohup", "xargs", "setsid", "stdbuf", "find"];

/**
 * Runs generated scripts in a real shell that finds no program except the wrappers, and returns what it tried to start.
 * Many scripts share one process, each in a separate subshell with its own log.
 */
class Oracle {
  readonly #folder = mkdtempSync(join(tmpdir(), "belay-oracle-"));
  readonly #shell: string;
  #runs = 0;

  constructor(shell: "bash" | "zsh") {
    this.#shell = shell;
    const bin = join(this.#folder, "bin");
    mkdirSync(bin);
    const standIn = join(this.#folder, "stand-in");
    writeFileSync(standIn, `#!/bin/sh\nprintf '%s\\n' "\${0##*/}" >> "$ORACLE_LOG"\n`);
    chmodSync(standIn, 0o700);
    for (const name of STAND_INS) symlinkSync(standIn, join(bin, name));
    for (const name of WRAPPERS) symlinkSync(join("/usr/bin", name), join(bin, name));
  }

  /** What each of the scripts tried to start. */
  run(scripts: readonly string[]): string[][] {
    const logs = scripts.map((script) => {
      this.#runs += 1;
      const log = join(this.#folder, `log-${this.#runs}`);
      writeFileSync(log, "");
      writeFileSync(`${log}.sh`, script);
      return log;
    });
    const driver = logs.map((log) => `( ORACLE_LOG='${log}'; export ORACLE_LOG; . '${log}.sh' )`).join("\n");
    spawnSync(`/usr/bin/${this.#shell}`, [...this.#options(), "-c", `${this.#prelude()}\n${driver}`], {
      cwd: this.#folder,
      env: { PATH: join(this.#folder, "bin"), HOME: this.#folder },
      timeout: 30_000,
      input: "",
    });
    return logs.map((log) =>
      readFileSync(log, "utf8")
        .split("\n")
        .filter((line) => line !== ""),
    );
  }

  get home(): string {
    return this.#folder;
  }

  close(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #options(): string[] {
    return this.#shell === "zsh" ? ["-f"] : ["--norc", "--noprofile"];
  }

  /** The shell calls this function for every program that it cannot find. */
  #prelude(): string {
    const name = this.#shell === "zsh" ? "command_not_found_handler" : "command_not_found_handle";
    const exported = this.#shell === "zsh" ? "" : `export -f ${name}`;
    return `${name}() { builtin printf '%s\\n' "$1" >> "$ORACLE_LOG"; return 0; }\n${exported}`;
  }
}

describe.each([
  { shell: "bash", count: COUNT },
  { shell: "zsh", count: Math.ceil(COUNT / 4) },
] as const)("P2 what $shell runs is what is judged", ({ shell, count }) => {
  const isInstalled = existsSync(`/usr/bin/${shell}`);
  const oracle = isInstalled ? new Oracle(shell) : null;
  // A long run leaves many files to remove.
  afterAll(() => oracle?.close(), 600_000);

  it.skipIf(!isInstalled)(`in ${count} generated scripts from seed ${SEED}`, { timeout: 3_600_000 }, () => {
    let started = 0;
    for (let from = 0; from < count; from += BATCH) {
      const seeds = Array.from({ length: Math.min(BATCH, count - from) }, (_, at) => SEED * 1_000_003 + from + at);
      const scripts = seeds.map((seed) => generateScript(seed, { shell }));
      const ran = oracle?.run(scripts) ?? [];
      for (const [at, script] of scripts.entries()) {
        started += ran[at]?.length ?? 0;
        const missed = missedBy(script, ran[at] ?? [], `/usr/bin/${shell}`, oracle?.home ?? "");

        expect(missed, `seed ${seeds[at]}:\n${script}`).toEqual([]);
      }
    }
    // An oracle that runs nothing would agree with every verdict.
    expect(started).toBeGreaterThan(count);
  });
});
