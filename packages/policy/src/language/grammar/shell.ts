import type { Span } from "@belay/protocol";
import type { CommandNode, CompoundList, ParsedScript, SyntaxNode, Word } from "unbash";
import type { JudgeContext } from "../../context.ts";
import type { FileEffect, Invocation, NoteKind } from "../commands/invocation.ts";
import type { Frame, ShellState } from "../state/state.ts";
import type { Field, Stream } from "../state/values.ts";

/** The context of a command: what runs it, as whom, and in which pipeline. */
export interface Circumstances {
  readonly wrappers: readonly string[];
  /** How many wrappers surround the shell that reads the text. Inside that shell, functions apply again. */
  readonly wrappersOutside: number;
  readonly isPrivileged: boolean;
  readonly isBackground: boolean;
  readonly isInPipeline: boolean;
  /** The number of the pipeline, to tell which commands are in the same one; 0 for none. */
  readonly pipeline: number;
  /** The pipeline shows only the names of the variables that the command prints. */
  readonly showsOnlyNames: boolean;
  /** Files that this terminal wrote are being judged. What they start does not run them again. */
  readonly isInWrittenCode: boolean;
  /** A text that may be a command, or only a text: it asks, but is not denied for good. */
  readonly isGuess: boolean;
  /** The body of a function is being analysed before any call. */
  readonly isDefining: boolean;
}

export const TOP_LEVEL: Circumstances = {
  wrappers: [],
  wrappersOutside: 0,
  isPrivileged: false,
  isBackground: false,
  isInPipeline: false,
  pipeline: 0,
  showsOnlyNames: false,
  isInWrittenCode: false,
  isGuess: false,
  isDefining: false,
};

/** The arguments of a function call, and the state at its start. */
export interface FunctionCall {
  readonly state: ShellState;
  readonly args: readonly Field[];
}

/**
 * The simulated shell that runs the text. Each part of the walk gets it as an argument,
 * so that they can call each other without importing each other.
 */
export interface Shell {
  readonly context: JudgeContext;
  state: ShellState;
  frame: Frame;
  how: Circumstances;
  readonly functionCalls: string[];
  /** The active calls of each function, with the state in which each began. */
  readonly calls: Map<string, readonly FunctionCall[]>;

  /** Runs nodes in this shell and returns their output. */
  runScript(script: ParsedScript, stdin: Stream): Stream;
  runNode(node: CommandNode | CompoundList, stdin: Stream): Stream;
  /** Parses a text as code, and runs it in this shell. */
  runText(code: Field, stdin: Stream, label: string): Stream;
  runArgv(argv: readonly Field[], call: Call): Stream;
  /** Runs something after the last command of the current script. */
  runAtEnd(work: () => void): void;
  /** Works on a copy of the state, which is dropped afterwards. */
  inSubshell<T>(work: () => T): T;
  under<T>(how: Partial<Circumstances>, work: () => T): T;

  expand(word: Word): Field[];
  expandToOne(word: Word): Field;
  /** Runs what evaluating a text as arithmetic would run. */
  evaluate(arithmetic: string): void;
  /** Expands a text as if it were in double quotes. */
  expandText(text: string): Field;
  note(kind: NoteKind, detail: string, taint?: number): void;
  record(invocation: Invocation): void;
  /** Every command and substitution of the source that was walked, or that was judged as part of another text. */
  readonly walked: Set<SyntaxNode>;
  markWalked(node: SyntaxNode): void;
  readFile(path: string): Stream;
  writeFile(path: string, content: Stream, how?: { isAppended?: boolean }): void;
  removeFile(path: string): void;
  /** Registers a callback for what is written to a path that stands for a process. */
  onWrite(path: string, sink: (written: Stream) => void): void;
  /** The span of the current command in the judged text. */
  span(): Span | null;
  /** False once the step limit is reached. Long values cost more than one step. */
  spend(steps?: number): boolean;
}

export interface Call {
  readonly stdin: Stream;
  readonly env: ReadonlyMap<string, Field>;
  readonly effects: readonly FileEffect[];
}

/** A program that runs code or another command; `isTransparent` if it does nothing else. */
export interface Handled {
  readonly output: Stream;
  readonly isTransparent: boolean;
}
