import type { RuleMatch } from "@belay/protocol";
import type { JudgeContext } from "../context.ts";
import { type Judgement, judge } from "../judge.ts";
import { emptyMemory } from "../language/state/memory.ts";
import type { Policy } from "../settings/policy.ts";
import { assembleInput, emptyLine, nameControl } from "./line-assembler.ts";
import { commandsInKeys, isNavigation, isOneKey } from "./navigation-keys.ts";
import type { InputReader } from "./reader.ts";

export type TypedJudgement =
  /** These keys may be sent, in this form. */
  | { type: "judged"; judgement: Judgement; keys: string }
  /** Keys of unknown effect; nothing is typed. */
  | { type: "unreadable"; reason: string };

/** Clears text that a person, or a program that has ended, may have left on the line. */
const KILL_LINE = "\u0015";
/** Ctrl-C, Ctrl-D, Ctrl-Z and Ctrl-\\: signals for the running program, not input. */
const INTERRUPTS = new Set(["\u0003", "\u0004", "\u001a", "\u001c"]);

/**
 * Judges typed text by its reader: commands for a shell, code for a REPL, single keys for a pager, an answer for any
 * other program. Only as much is allowed as that reader will certainly consume, because the rest would go to another
 * program.
 */
export function judgeTyped(
  text: string,
  reader: InputReader,
  given: Partial<JudgeContext>,
  policy: Policy,
): TypedJudgement {
  const keys = text.replace(/\r\n|\n/g, "\r");
  if (INTERRUPTS.has(keys)) return { type: "judged", judgement: harmless(given, policy), keys };
  if (reader.kind === "answer") return judgeAnswer(keys, reader, given, policy);
  if (reader.kind === "keys") return judgeKeys(keys, reader, given, policy);

  const assembled = assembleInput(emptyLine, keys);
  if (!assembled.ok) return { type: "unreadable", reason: assembled.reason };
  if (assembled.state.line !== "" || assembled.state.isPasting) {
    return {
      type: "unreadable",
      reason: `"${reader.program}" reads whole lines, and this one is incomplete. End it with a line break.`,
    };
  }
  const { events } = assembled;
  const leaves = events.findIndex(
    (event) => event.type !== "line" || (reader.kind === "code" && LEAVES.test(event.text)),
  );
  if (leaves >= 0 && leaves < events.length - 1) {
    return {
      type: "unreadable",
      reason: `"${reader.program}" may have ended before the last of these lines. Send the rest when you know which program reads it.`,
    };
  }
  const lines = events.map((event) => (event.type === "line" ? event.text : "")).join("\n");
  const context = { ...given, surface: "input" as const };
  const judgement =
    reader.kind === "shell"
      ? judge(lines, context, policy)
      : withoutSpans(judge(lines, { ...context, argv: asCode(reader, lines) }, policy));
  const escaped =
    reader.kind === "code"
      ? escapes(lines).map((command) => withoutSpans(judge(command, { ...context, argv: null }, policy)))
      : [];
  const cleared = events.every(({ type }) => type === "line") ? clearEachLine(keys) : keys;
  const { memoryAfter } = judgement;
  return { type: "judged", judgement: { ...strictest(judgement, escaped), memoryAfter }, keys: cleared };
}

function strictest(first: Judgement, others: readonly Judgement[]): Judgement {
  return others.reduce((most, one) => (RANK[one.decision] > RANK[most.decision] ? one : most), first);
}

const RANK = { allow: 0, ask: 1, deny: 2 } as const;

/** `!cmd`, `\\! cmd`, `.shell cmd`, `%sx cmd`: most consoles pass such a line to a shell. */
function escapes(lines: string): string[] {
  return [...lines.matchAll(ESCAPE)].flatMap(([, command = ""]) => (command.trim() === "" ? [] : command)).slice(0, 20);
}

const ESCAPE =
  /^\s*(?:[\w, ]+=\s*)?(?:~?!{1,2}|%{1,2}(?:sx|system|bash|sh)\b|\\!|\.(?:shell|system)\b|(?:platform )?shell\b|system\b(?!\s*\())\s*(.+)$/gm;

/** Lines that end a REPL or a client. The next line would go to the shell. */
const LEAVES =
  /^\s*(?:[.:\\]?(?:exit|quit|q|bye|detach|disconnect)\b|(?:exit|quit|os\._exit|sys\.exit|process\.exit)\s*\()/i;

/** An answer is one line, or one key. */
function judgeAnswer(
  keys: string,
  { program, takesBytes = false }: Extract<InputReader, { kind: "answer" }>,
  given: Partial<JudgeContext>,
  policy: Policy,
): TypedJudgement {
  const end = keys.search(CONTROL);
  const isLine = end < 0 || (keys[end] === "\r" && end === keys.length - 1);
  const isAnswer = isOneKey(keys) || (isLine && !takesBytes);
  if (isAnswer) return { type: "judged", judgement: harmless(given, policy), keys };
  const reason =
    takesBytes || keys[end] === "\r"
      ? `"${program}" may take one line only, and a shell would run the rest. Send one line at a time, each when it is asked for.`
      : `${nameControl(keys.charAt(end))} among other keys cannot be judged. Send single keys, or one line of text.`;
  return { type: "unreadable", reason };
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: control bytes are what this looks for
const CONTROL = /[\u0000-\u0008\u000a-\u001f\u007f-\u009f]/;

/**
 * Navigation keys are allowed. Keys that could start a program need approval, and are denied if that program would be.
 */
function judgeKeys(
  keys: string,
  { program, family }: Extract<InputReader, { kind: "keys" }>,
  given: Partial<JudgeContext>,
  policy: Policy,
): TypedJudgement {
  const plain = harmless(given, policy);
  if (isNavigation(keys, family)) return { type: "judged", judgement: plain, keys };
  if (OPENS_PROMPT.test(keys)) {
    return {
      type: "unreadable",
      reason: `In "${program}" this starts a command without finishing it. Send all of it at once, with Enter at the end.`,
    };
  }
  const commands = commandsInKeys(keys).map((command) =>
    withoutSpans(judge(command, { ...given, surface: "input", argv: null }, policy)),
  );
  const denied = commands.find(({ decision }) => decision === "deny");
  if (denied !== undefined) return { type: "judged", judgement: { ...denied, memoryAfter: plain.memoryAfter }, keys };
  return { type: "judged", judgement: asked(plain, program, policy, given), keys };
}

/** An unfinished command that the next write would complete, as a command that was never judged. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: Enter and Escape end a prompt
const OPENS_PROMPT = /^(?:[!|:/?&#~]|\u001b[x!|:])[^\r\u001b]*$|^\u0018?[!|:]$/;

function asked(plain: Judgement, program: string, policy: Policy, given: Partial<JudgeContext>): Judgement {
  if (plain.decision === "deny") return plain;
  const profile = policy.settings.profiles[given.profile ?? policy.settings.defaultProfile];
  const reason = `These keys do more in "${program}" than move: they can open files, write them or start programs.`;
  const decision = profile?.dangerous === "deny" ? "deny" : "ask";
  return {
    ...plain,
    decision,
    level: "dangerous",
    layer: "approval",
    matches: [{ rule: "typed-keys", layer: "approval", decision, reason, span: null }],
  };
}

/** Judged like the same code on a command line: inline code asks, and dangerous literals are denied. */
function asCode({ program, asArgv }: Extract<InputReader, { kind: "code" }>, lines: string): string[] {
  if (asArgv !== undefined) return [...asArgv, lines];
  // The console of Elixir.
  const name = program === "iex" ? "elixir" : program;
  return [name, CODE_OPTIONS[name] ?? "-c", lines];
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
  R: "-e",
  julia: "-e",
  octave: "--eval",
  elixir: "-e",
  gnuplot: "-e",
  jshell: "-e",
};

/** Spans of a text that was assembled here would not match the text in the verdict. */
function withoutSpans(judgement: Judgement): Judgement {
  const matches = judgement.matches.map((match): RuleMatch => ({ ...match, span: null }));
  return { ...judgement, matches };
}

/** The profile still applies: `restricted` denies all typed input. */
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
