import type { Span } from "@belay/protocol";
import type { CommandNode, CompoundList, ParsedScript, SyntaxNode, Word } from "unbash";
import type { JudgeContext } from "../../context.ts";
import type { FileEffect, Invocation, NoteKind } from "../commands/invocation.ts";
import type { Frame, ShellState } from "../state/state.ts";
import type { Field, Stream } from "../state/values.ts";

/** How a command is being run: by what, on whose behalf, and beside what. */
export interface Circumstances {
  readonly wrappers: readonly string[];
  /** How many of them stand around the shell that reads the text: inside it, functions count again. */
  readonly wrappersOutside: number;
  readonly isPrivileged: boolean;
  readonly isBackground: boolean;
  readonly isInPipeline: boolean;
  /** Which pipeline, to tell what stands beside what; 0 for none. */
  readonly pipeline: number;
  /** The body of a function is looked at, and nobody has called it yet. */
  readonly isDefining: boolean;
}

export const PLAINLY: Circumstances = {
  wrappers: [],
  wrappersOutside: 0,
  isPrivileged: false,
  isBackground: false,
  isInPipeline: false,
  pipeline: 0,
  isDefining: false,
};

/** What a function was called with, and the state that its body began in. */
export interface FunctionCall {
  readonly state: ShellState;
  readonly args: readonly Field[];
}

/**
 * The shell that is imagined to run the text. Each part of the walk gets it as an argument,
 * so that they can call each other without importing each other.
 */
export interface Shell {
  readonly context: JudgeContext;
  state: ShellState;
  frame: Frame;
  how: Circumstances;
  readonly functionCalls: string[];
  /** The calls of each function that are still running, with what they found. */
  readonly calls: Map<string, readonly FunctionCall[]>;

  /** Runs nodes in this very shell and gives what they print. */
  runScript(script: ParsedScript, stdin: Stream): Stream;
  runNode(node: CommandNode | CompoundList, stdin: Stream): Stream;
  /** Parses a text that the shell is given as code, and runs it in this very shell. */
  runText(code: Field, stdin: Stream, label: string): Stream;
  runArgv(argv: readonly Field[], call: Call): Stream;
  /** Works on a copy of the state and forgets it afterwards. */
  inSubshell<T>(work: () => T): T;
  under<T>(how: Partial<Circumstances>, work: () => T): T;

  expand(word: Word): Field[];
  expandToOne(word: Word): Field;
  /** Runs what evaluating a text as arithmetic would run. */
  evaluate(arithmetic: string): void;
  /** Expands a text as if it stood in double quotes. */
  expandText(text: string): Field;
  note(kind: NoteKind, detail: string, taint?: number): void;
  record(invocation: Invocation): void;
  /** Every command and substitution of the source that was run, or that another text stands for. */
  readonly walked: Set<SyntaxNode>;
  markWalked(node: SyntaxNode): void;
  readFile(path: string): Stream;
  writeFile(path: string, content: Stream, how?: { isAppended?: boolean }): void;
  removeFile(path: string): void;
  /** Calls back with what is written to a path that stands for a process. */
  onWrite(path: string, sink: (written: Stream) => void): void;
  /** Where in the judged text the command stands that is being run. */
  span(): Span | null;
  /** False once the text has become more work than judging may cost. Long values cost more than one step. */
  spend(steps?: number): boolean;
}

export interface Call {
  readonly stdin: Stream;
  readonly env: ReadonlyMap<string, Field>;
  readonly effects: readonly FileEffect[];
}

/** A program that runs code or another command; `isTransparent` where that is all it does. */
export interface Handled {
  readonly output: Stream;
  readonly isTransparent: boolean;
}
