import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, test } from "vitest";
import { completeContext } from "../context.ts";
import { judge } from "../judge.ts";
import { CATALOG } from "../programs/catalog/index.ts";
import type { OptionMeaning, Verb } from "../programs/define-program.ts";
import { readCommand } from "../read-command.ts";
import { defaultPolicy } from "../settings/policy.ts";

const context = { home: "/home/agent", workspace: "/home/agent/workspace" };
const shellWords = new Set("time [[ [ test echo printf : true false kill set".split(" "));

interface OptionUse {
  readonly program: string;
  readonly verbs: readonly string[];
  readonly option: OptionMeaning;
}

/** Every option of every table, for each of the first verbs that have it. */
function everyOption(): OptionUse[] {
  const uses: OptionUse[] = [];
  const collect = (program: string, verb: Verb, verbs: readonly string[]) => {
    // Without a verb such a program only prints its usage.
    const isWhole = verb.verbs === null || verbs.length > 0;
    if (isWhole) for (const option of verb.options.named.values()) uses.push({ program, verbs, option });
    const seen = new Set<Verb>();
    for (const [name, inner] of verb.verbs ?? []) {
      if (seen.has(inner)) continue;
      seen.add(inner);
      collect(program, inner, [...verbs, name]);
    }
  };
  for (const { names, root } of CATALOG) collect(names[0] ?? "", root(), []);
  return uses;
}

function written({ program, verbs, option }: OptionUse, value: string): string[] {
  const { name, takes } = option;
  const isAttached = takes === "attached" || (takes === "value" && name.startsWith("--"));
  const words =
    takes === "nothing"
      ? [name]
      : isAttached
        ? [name.startsWith("--") ? `${name}=${value}` : name + value]
        : [name, value];
  return [program, ...verbs, ...words];
}

const OPTIONS = everyOption();
const decide = (argv: readonly string[]) => judge(argv.map((word) => `'${word}'`).join(" "), context, defaultPolicy);

describe("X4 each option of each table is tried", () => {
  it("there are thousands of options to try", () => {
    expect(OPTIONS.length).toBeGreaterThan(4_000);
  });

  it("none that writes a file does so outside the workspace without asking", () => {
    // An archive is only written with the corresponding letter.
    const silent = OPTIONS.filter(({ option, program }) => option.kind === "write" && program !== "tar")
      .map((use) => written(use, "/home/agent/.bashrc"))
      .filter((argv) => decide(argv).decision === "allow");

    expect(silent).toEqual([]);
  });

  it("none that runs a command runs an unjudged one", () => {
    const silent = OPTIONS.filter(({ option }) => option.kind === "code")
      .map((use) => written(use, "zz1a -x"))
      .filter((argv) => decide(argv).decision === "allow");

    expect(silent).toEqual([]);
  });

  it("none that publishes, destroys or prints secrets is allowed by any built-in profile", () => {
    const grave = OPTIONS.filter(
      ({ option: { does } }) => does === "publish" || does === "destroy" || does === "secret",
    );
    const silent = grave
      .map((use) => written(use, "x"))
      .filter((argv) => judge(argv.join(" "), { ...context, profile: "trusted" }, defaultPolicy).decision === "allow");

    expect(silent).toEqual([]);
  });
});

/** Bash passes the same words to a fake program that were judged. */
test("X4 bash passes a fake program the words that were judged, for every option", { timeout: 120_000 }, () => {
  const folder = mkdtempSync(join(tmpdir(), "belay-options-"));
  const spellings = [
    (word: string) => word,
    (word: string) => `'${word}'`,
    (word: string) => `"${word}"`,
    (word: string) => `${word.slice(0, 1)}\\${word.slice(1)}`,
  ];
  const lines = OPTIONS.filter(({ program }) => !shellWords.has(program)).map((use, at) => {
    const [program = "", ...rest] = written(use, "some/value");
    return {
      program,
      rest,
      text: `standin_${at} ${rest.map((word, index) => spellings[(at + index) % 4]?.(word)).join(" ")}`,
    };
  });
  const script = join(folder, "lines.sh");
  const log = join(folder, "log");
  writeFileSync(script, lines.map(({ text }) => text).join("\n"));
  const prelude = `command_not_found_handle() { builtin printf '%s\\037' "$@" >> '${log}'; builtin printf '\\n' >> '${log}'; }`;
  spawnSync("/usr/bin/bash", ["--norc", "--noprofile", "-c", `${prelude}; . '${script}'`], {
    env: { PATH: folder },
    timeout: 110_000,
  });
  const heard = readFileSync(log, "utf8").trimEnd().split("\n");
  rmSync(folder, { recursive: true, force: true });

  expect(heard).toHaveLength(lines.length);
  for (const [at, { text }] of lines.entries()) {
    const { invocations } = readCommand(text, completeContext(context, defaultPolicy.settings));
    const invocation = invocations.find(({ program }) => program.startsWith("standin_"));
    const judged = [invocation?.path, ...(invocation?.args.map((arg) => arg.text) ?? [])].join("\u001f");

    expect(`${judged}\u001f`, text).toBe(heard[at]);
  }
});
