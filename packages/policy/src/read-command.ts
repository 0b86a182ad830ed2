import { characterProblem } from "@belay/protocol";
import type { JudgeContext } from "./context.ts";
import { asTyped, withLineBreaks } from "./input/typed-text.ts";
import { recallFunctions } from "./language/commands/functions.ts";
import type { Invocation, Note, NoteKind } from "./language/commands/invocation.ts";
import { countElements, MAX_ELEMENTS } from "./language/grammar/complexity.ts";
import { findUncovered } from "./language/grammar/coverage.ts";
import { findHistoryExpansion } from "./language/grammar/history-expansion.ts";
import { readForeignShell } from "./language/grammar/other-shells.ts";
import { MAX_NESTING, MAX_TEXT_LENGTH, nestingOf, parseText, type Syntax } from "./language/grammar/parse.ts";
import { judgeEnvironment } from "./language/state/env-hooks.ts";
import type { ShellMemory } from "./language/state/memory.ts";
import { memoryFromState, stateFromMemory } from "./language/state/state.ts";
import { field, type Stream, stream } from "./language/state/values.ts";
import { Walk } from "./language/walk.ts";
import { findHereDocProblem } from "./language/words/here-docs.ts";

/** Everything that a text would start, and everything unusual about it. */
export interface ReadCommand {
  readonly invocations: readonly Invocation[];
  readonly notes: readonly Note[];
  readonly syntax: Syntax | "too-large";
  readonly memoryAfter: ShellMemory;
}

/**
 * 1. Undo the terminal's processing of the bytes, and look for deceptive characters.
 * 2. Parse the text. The valid part is walked even if the rest is invalid, because a shell runs earlier lines first.
 * 3. Return the terminal's memory afterwards.
 */
export function readCommand(text: string, context: JudgeContext): ReadCommand {
  try {
    return readWhole(text, context);
  } catch (error) {
    // A sum of ten thousand terms is a tree of that depth, which would overflow the stack.
    if (!(error instanceof RangeError)) throw error;
    const span = { start: 0, end: text.length };
    const note: Note = { kind: "too-complex", detail: "nested too deeply", taint: 0, span };
    return { invocations: [], notes: [note], syntax: "invalid", memoryAfter: context.memory };
  }
}

function readWhole(text: string, context: JudgeContext): ReadCommand {
  const notes: Note[] = [];
  const note = (kind: NoteKind, detail: string, at = 0, end = text.length) =>
    notes.push({ kind, detail, taint: 0, span: { start: at, end } });
  if (text.length > MAX_TEXT_LENGTH) {
    note("too-large", `${text.length} characters`);
    return { invocations: [], notes, syntax: "too-large", memoryAfter: context.memory };
  }

  const typed = context.argv === null ? asTyped(text) : { text, hasControls: false };
  if (typed.hasControls) note("control-bytes", "control bytes");
  const problem = characterProblem(typed.text);
  if (problem !== null) note(problem, "characters");

  const state = stateFromMemory(context.memory, context);
  recallFunctions(state, context.memory.functions);
  // If the text was edited, positions no longer match the original, so findings point at all of it.
  const isSame = typed.text === text;
  const walk = new Walk(context, state, {
    source: typed.text,
    span: isSame && context.argv === null ? null : { start: 0, end: text.length },
  });
  const stdin: Stream = stream(context.stdin);
  judgeEnvironment(walk, new Map(Object.entries(context.env).map(([name, value]) => [name, field(value)])));

  const broken = typed.hasControls ? withLineBreaks(text) : text;
  if (broken !== text) walk.inSubshell(() => walk.runText(field(broken), stdin, "control bytes"));

  let syntax: Syntax = "complete";
  if (context.argv !== null) {
    const env = new Map(Object.entries(context.env).map(([name, value]) => [name, field(value)]));
    walk.runArgv(
      context.argv.map((word) => field(word)),
      { stdin, env, effects: [] },
    );
  } else if (walk.isForeign(typed.text)) {
    readForeignShell(walk, typed.text, stdin);
  } else if (nestingOf(typed.text) > MAX_NESTING || countElements(typed.text) > MAX_ELEMENTS) {
    note("too-complex", "more than can be judged");
    syntax = "invalid";
  } else {
    const parsed = parseText(typed.text);
    syntax = parsed.syntax;
    if (parsed.problem !== null)
      note(
        syntax === "incomplete" ? "incomplete" : "unparseable",
        parsed.problem.message,
        Math.min(parsed.problem.at, text.length),
      );
    // Text that bash cannot parse may be valid zsh: `foreach x (a) cmd; end`.
    if (parsed.syntax === "invalid" && state.dialect === "zsh") readForeignShell(walk, typed.text, stdin);
    if (parsed.script !== null) {
      if (syntax === "complete" && findHereDocProblem(parsed.script)) {
        syntax = "incomplete";
        note("incomplete", "a here-document without its end");
      }
      const uncovered = findUncovered(typed.text, parsed.script);
      if (uncovered >= 0) note("uncovered", typed.text.slice(uncovered, uncovered + 2), isSame ? uncovered : 0);
      const recalled = findHistoryExpansion(typed.text, parsed.script);
      if (recalled >= 0) note("history-expansion", typed.text.slice(recalled, recalled + 8), isSame ? recalled : 0);
      walk.runScript(parsed.script, stdin);
      walk.checkWalked(parsed.script);
    }
  }
  return {
    invocations: walk.invocations,
    notes: [...notes, ...walk.notes],
    syntax,
    memoryAfter: memoryFromState(walk.state),
  };
}
