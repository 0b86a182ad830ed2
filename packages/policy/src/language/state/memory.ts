import { HOLE, TAINT, type Value } from "./values.ts";

/**
 * What a terminal's shell remembers from one command to the next.
 *
 * A plain value: it is stored beside the terminal as JSON, handed in with the context and
 * handed back after each command. What is not in here is as in a fresh terminal.
 */
export interface ShellMemory {
  readonly variables: Readonly<Record<string, Value>>;
  /** Name → source text of the definition. */
  readonly functions: Readonly<Record<string, string>>;
  readonly aliases: Readonly<Record<string, string>>;
  /** `declare -n`: a name, and what it stands for. Not in memories of earlier versions. */
  readonly references?: Readonly<Record<string, string>>;
  /** Null: a `cd` to somewhere that could not be known. */
  readonly cwd: string | null;
  /** False until a command moved it; until then the context says where the shell is. */
  readonly hasMoved: boolean;
  /** Null until a command set them. */
  readonly positional: readonly string[] | null;
  /** `set -a`: every assignment is for programs too. */
  readonly exportsAll: boolean;
  /** Links that earlier commands made, and where they lead. */
  readonly links: Readonly<Record<string, string>>;
  /** Files that the agent wrote, in whatever terminal; what is not in here is the project's own. */
  readonly files: Readonly<Record<string, RememberedFile>>;
}

export interface RememberedFile {
  readonly taint: number;
  /** Null where it is not known any more, or never was. */
  readonly text: string | null;
  /** It holds names of files below this folder. */
  readonly listing?: string;
  /** A folder in which older files are the agent's, without a list of them. */
  readonly isFolded?: true;
  /** A folder that an archive was unpacked into which nobody has looked into. */
  readonly isUnpacked?: true;
  /** A compiler made it of the project, in a temporary folder. */
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
  links: {},
  files: {},
};

/**
 * After a person typed in the shell: what they set is not known. What was defined stays, because a function or an
 * alias that is forgotten would be judged as the program that it hides.
 */
export function forgetValues(memory: ShellMemory): ShellMemory {
  const unknown: Value = { items: [HOLE], isArray: false, taint: TAINT.data };
  const variables = Object.fromEntries(
    Object.entries(memory.variables).map(([name, { isExported }]) => [
      name,
      { ...unknown, ...(isExported && { isExported }) },
    ]),
  );
  return { ...memory, variables, cwd: null, hasMoved: false, positional: null };
}
