import type { Span } from "@belay/protocol";
import type { Circumstances } from "../grammar/shell.ts";
import type { Field, Stream } from "../state/values.ts";

/** What a command does to a file, by an option, an operand or a redirection. */
export interface FileEffect {
  readonly type: "read" | "write" | "append" | "delete";
  readonly path: Field;
  /** What is written, if known. */
  readonly content: Stream | null;
  /** The program's table does not say what it does with the file, so it may also write it. */
  readonly mayWrite?: true;
}

/** An effect with its resolved path, computed once for all rules. */
export interface ResolvedEffect extends FileEffect {
  /** Every absolute path that it can mean. */
  readonly paths: readonly string[];
  /** It contains secret material, or data derived from secrets. */
  readonly isSecret: boolean;
  /** Whether this terminal wrote it. */
  readonly wasWritten: boolean;
}

/** One program as it will be started: what every rule looks at. */
export interface Invocation extends Circumstances {
  /** Base name of the program. */
  readonly program: string;
  /** As written in the text. */
  readonly path: string;
  readonly args: readonly Field[];
  readonly env: ReadonlyMap<string, Field>;
  readonly stdin: Stream;
  readonly effects: readonly ResolvedEffect[];
  /** The effects of redirections, as written. */
  readonly redirects: readonly FileEffect[];
  readonly cwd: string | null;
  /** The program is a file that a compiler built from the project here. */
  readonly isBuilt: boolean;
  /** The agent wrote the file that its path names. */
  readonly isWritten: boolean;
  /** It works on the data of an application, in the environment where people rely on it. */
  readonly inProduction: boolean;
  readonly span: Span | null;
  /** A wrapper that only runs another command, which is judged separately. */
  readonly isTransparent: boolean;
}

/** What the walk itself noticed, besides the programs that run. */
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
  | "printed-set-up"
  | "dynamic-input"
  | "tainted-code"
  | "tainted-program"
  | "inline-code"
  | "grave-code"
  | "traced-secret"
  | "brings-unknown"
  | "unpacks-unknown"
  | "unpacked-code"
  | "readable-code"
  | "inline-danger"
  | "indirect-expansion"
  | "arithmetic-on-data"
  | "function-defined"
  | "alias-defined"
  | "meaning-removed"
  | "shell-replaced"
  | "hook-defined"
  | "fork-bomb"
  | "startup-variable"
  | "remote-database"
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
  /** It was noticed in a text that may not be a command. */
  readonly isGuess?: boolean;
}
