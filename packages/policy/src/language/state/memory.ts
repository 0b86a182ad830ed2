import { HOLE, TAINT, type Value } from "./values.ts";

/**
 * What a terminal's shell remembers from one command to the next.
 *
 * It is a plain value: stored with the terminal as JSON, passed in with the context, and returned after each command.
 * Anything that is not in here is as in a fresh terminal.
 */
export interface ShellMemory {
  readonly variables: Readonly<Record<string, Value>>;
  /** Maps each name to the source text of its definition. */
  readonly functions: Readonly<Record<string, string>>;
  readonly aliases: Readonly<Record<string, string>>;
  /** `declare -n`: a name and its target. Missing in memories that earlier versions stored. */
  readonly references?: Readonly<Record<string, string>>;
  /** Null: after a `cd` to an unknown folder. */
  readonly cwd: string | null;
  /** False until a command changed it; until then the context has the shell's folder. */
  readonly hasMoved: boolean;
  /** `$1` and on; null until a command set them. */
  readonly positional: readonly string[] | null;
  /** `set -a`: every assignment is exported. */
  readonly exportsAll: boolean;
  /** `set -x` is on: commands are printed with their values. */
  readonly isTraced: boolean;
  /** Links that earlier commands made, and their targets. */
  readonly links: Readonly<Record<string, string>>;
  /** Files that the agent wrote, in any terminal. All others belong to the project. */
  readonly files: Readonly<Record<string, RememberedFile>>;
  /** A sourced file, unknown code or a person may have set variables that are not in `variables`. */
  readonly hasForeignVariables?: true;
}

export interface RememberedFile {
  readonly taint: number;
  /** Null if unknown. */
  readonly text: string | null;
  /** What was added at its end, if the rest is unknown. */
  readonly added?: string;
  /** It contains names of files below this folder. */
  readonly listing?: string;
  /** A folder in which older files are the agent's, without being listed. */
  readonly isFolded?: true;
  /** A folder into which an archive with unknown contents was unpacked. */
  readonly isUnpacked?: true;
  /** A compiler built it from the project, in a temporary folder. */
  readonly isBuilt?: true;
}

export const emptyMemory: ShellMemory = {
  variables: {},
  functions: {},
  aliases: {},
  cwd: null,
  hasMoved: false,
  positional: null,
  exportsAll: false,
  isTraced: false,
  links: {},
  files: {},
};

/**
 * The memory after a person typed in the shell: its variables are unknown. Definitions stay, because a forgotten
 * function or alias would be judged as the program that it hides.
 */
export function forgetValues(memory: ShellMemory): ShellMemory {
  const unknown: Value = { items: [HOLE], isArray: false, taint: TAINT.data };
  const variables = Object.fromEntries(
    Object.entries(memory.variables).map(([name, { isExported }]) => [
      name,
      { ...unknown, ...(isExported && { isExported }) },
    ]),
  );
  return { ...memory, variables, cwd: null, hasMoved: false, positional: null, hasForeignVariables: true };
}
