import type { RuleMatch } from "@belay/protocol";
import type { JudgeContext } from "../context.ts";
import { type Judgement, judge } from "../judge.ts";
import { emptyMemory } from "../language/memory.ts";
import type { Policy } from "../settings/policy.ts";
import { assembleInput, emptyLine } from "./line-assembler.ts";
import type { InputReader } from "./reader.ts";

export type TypedJudgement =
  /** These keys may be pressed, in this form. */
  | { type: "judged"; judgement: Judgement; keys: string }
  /** Keys whose effect cannot be known; nothing is typed. */
  | { type: "unreadable"; reason: string };

/** Removes what may be left on the line: a person, or a program that ended, may have typed it. */
const KILL_LINE = "\u0015";
/** Ctrl-C, Ctrl-D, Ctrl-Z and Ctrl-\\: for whatever runs, not for what it would run. */
const INTERRUPTS = new Set(["\u0003", "\u0004", "\u001a", "\u001c"]);

/**
 * Judges what is typed by who reads it: commands for a shell, code for a REPL, else an answer that passes.
 */
export function judgeTyped(
  text: string,
  reader: InputReader,
  given: Partial<JudgeContext>,
  policy: Policy,
): TypedJudgement {
  const keys = text.replace(/\r\n|\n/g, "\r");
  if (INTERRUPTS.has(keys)) return { type: "judged", judgement: harmless(given, policy), keys };
  if (reader.kind === "answer") return judgeAnswer(keys, reader.shellEscape, given, policy);

  const assembled = assembleInput(emptyLine, keys);
  if (!assembled.ok) return { type: "unreadable", reason: assembled.reason };
  if (assembled.state.line !== "" || assembled.state.isPasting) {
    return {
      type: "unreadable",
      reason: `"${reader.program}" runs whole lines, and this one has no end. Finish it with a line break.`,
    };
  }
  const lines = assembled.events.map((event) => (event.type === "line" ? event.text : "")).join("\n");
  const context = { ...given, surface: "input" as const };
  const judgement =
    reader.kind === "shell"
      ? judge(lines, context, policy)
      : withoutSpans(judge(lines, { ...context, argv: asCode(reader.program, lines) }, policy));
  const cleared = assembled.events.every(({ type }) => type === "line") ? clearEachLine(keys) : keys;
  return { type: "judged", judgement, keys: cleared };
}

/** An answer passes, but for what a pager or an editor would hand to a shell. */
function judgeAnswer(keys: string, mark: string | null, given: Partial<JudgeContext>, policy: Policy): TypedJudgement {
  const at = mark === null ? -1 : keys.indexOf(mark);
  if (at < 0) return { type: "judged", judgement: harmless(given, policy), keys };
  const command = keys.slice(at + 1).replace(/\r/g, "\n");
  const judgement = withoutSpans(judge(command, { ...given, surface: "input" }, policy));
  return { type: "judged", judgement, keys };
}

/** As the same code on a command line: inline code asks, and what its literals show is denied. */
function asCode(program: string, lines: string): string[] {
  return [program, CODE_OPTIONS[program] ?? "-c", lines];
}

const CODE_OPTIONS: Readonly<Record<string, string>> = {
  node: "-e",
  nodejs: "-e",
  perl: "-e",
  ruby: "-e",
  irb: "-e",
  bun: "-e",
  php: "-r",
  lua: "-e",
};

/** The spans of a text that was put together here mean nothing to the reader of the verdict. */
function withoutSpans(judgement: Judgement): Judgement {
  const matches = judgement.matches.map((match): RuleMatch => ({ ...match, span: null }));
  return { ...judgement, matches };
}

/** Still the profile's to allow: `restricted` types nothing. */
function harmless(given: Partial<JudgeContext>, policy: Policy): Judgement {
  const judgement = judge(
    "true",
    { ...given, surface: "input", argv: null, memory: given.memory ?? emptyMemory },
    policy,
  );
  return { ...withoutSpans(judgement), memoryAfter: given.memory ?? emptyMemory };
}

function clearEachLine(keys: string): string {
  return keys.replace(/[^\r]*\r/g, (line) => KILL_LINE + line);
}
