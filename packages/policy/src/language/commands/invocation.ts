import type { Span } from "@belay/protocol";
import type { Circumstances } from "../grammar/shell.ts";
import type { Field, Stream } from "../state/values.ts";

/** What a command does to a file, whether an option, an operand or a redirection says so. */
export interface FileEffect {
  readonly type: "read" | "write" | "append" | "delete";
  readonly path: Field;
  /** What is written, where that is known. */
  readonly content: Stream | null;
}

/** An effect with its path worked out, once for all the rules that ask. */
export interface ResolvedEffect extends FileEffect {
  /** Every absolute path that it can stand for. */
  readonly paths: readonly string[];
  /** Holds secret material, or data that came from some. */
  readonly isSecret: boolean;
  /** This very terminal wrote what is there. */
  readonly wasWritten: boolean;
}

/** One program as it will be started: what every rule looks at. */
export interface Invocation extends Circumstances {
  /** Base name of the program. */
  readonly program: string;
  /** As the text calls it. */
  readonly path: string;
  readonly args: readonly Field[];
  readonly env: ReadonlyMap<string, Field>;
  readonly stdin: Stream;
  readonly effects: readonly ResolvedEffect[];
  /** Those of the effects that redirections have, as written. */
  readonly redirects: readonly FileEffect[];
  readonly cwd: string | null;
  /** The program is a file that a compiler made of the project here. */
  readonly isBuilt: boolean;
  readonly span: Span | null;
  /** Only a way to run something else, which is judged by itself. */
  readonly isTransparent: boolean;
}

/** What the walk itself noticed, beside the programs that run. */
export type NoteKind =
  | "unparseable"
  | "incomplete"
  | "too-large"
  | "too-complex"
  | "uncovered"
  | "control-bytes"
  | "invisible-characters"
  | "mixed-scripts"
  | "history-expansion"
  | "dynamic-program"
  | "dynamic-code"
  | "tainted-code"
  | "tainted-program"
  | "inline-code"
  | "grave-code"
  | "readable-code"
  | "inline-danger"
  | "indirect-expansion"
  | "arithmetic-on-data"
  | "function-defined"
  | "alias-defined"
  | "meaning-removed"
  | "hook-defined"
  | "fork-bomb"
  | "startup-variable"
  | "own-name"
  | "written-code"
  | "imitated-prompt"
  | "other-shell"
  | "substitution"
  | "pipe-to-shell";

export interface Note {
  readonly kind: NoteKind;
  readonly detail: string;
  readonly taint: number;
  readonly span: Span | null;
}
