/**
 * Strings, as far as they are known before anything runs.
 *
 * Unknown parts are represented by one of three private characters, so that `"$X/bin"` is still known to end in `/bin`.
 * A text that itself contains such characters is reported as having invisible characters, and is never allowed.
 */
export const HOLE = "\uE000";
/** An active `*`: names of existing files. */
export const STAR = "\uE001";
/** An active `?` or `[…]`: one character of such a name. */
export const ANY_ONE = "\uE002";

/** The origins of data, as bits, because one string can have several. */
export const TAINT = {
  network: 1,
  encoded: 2,
  secret: 4,
  /** Output of a command, or input: untrusted text. */
  data: 8,
  /** A variable that no command set: it may be empty. */
  unset: 16,
  /** Names of files below a directory that was listed. */
  listing: 32,
  /** The value of a variable whose name says that it is a secret. */
  secretVariable: 64,
  /** Output of a shell that gets its commands from elsewhere. */
  shellOutput: 128,
  /** The process id of a job that this shell started. */
  ownJob: 4096,
  /** A parameter of a function that is only being defined. Each call is judged with its own arguments. */
  parameter: 8192,
  /** Output that does not end by itself: \`yes\`, \`/dev/zero\`. */
  endless: 16384,
  /** A name of which another program guarantees that it does not start with a dash: a branch, a resource of a cluster. */
  name: 32768,
  /** A secret that a client printed to sign in with: `gh auth token`. */
  token: 65536,
  /** Settings for the shell, and nothing else, which a tool of the machine printed for `eval`: `conda shell.bash hook`. */
  setUp: 131072,
} as const;

/** Data that must never become code. */
export const TAINTS_NEVER_RUN = TAINT.network | TAINT.encoded | TAINT.secret;

/** One word of a command line after every expansion. */
export interface Field {
  readonly text: string;
  readonly taint: number;
  /** `name=(…)` after `declare`: the items are already expanded. */
  readonly isExpandedArray?: true;
}

/** What flows through a pipe. */
export interface Stream {
  /** Null if unknown. May have holes. */
  readonly text: string | null;
  readonly taint: number;
  /** For a list of file names, the folder that they are in. */
  readonly listing: string | null;
  /** The list includes hidden names. */
  readonly hasHidden?: true;
  /** All files of the list are source code with this name: `*.py`. */
  readonly sources?: string;
  /** It is the content of a file that the agent wrote. */
  readonly isWritten?: true;
  /** It is the content of a file that no agent is known to have written. */
  readonly isProjects?: true;
  /** That file is in the workspace, and not only in the current folder. */
  readonly isOfWorkspace?: true;
  /** It is what a compiler built from the project. */
  readonly isBuilt?: true;
  /** It is an archive, and these members come from elsewhere. */
  readonly members?: readonly string[];
  /** It may contain credentials: the settings of a program, what services and processes show, or rows of a database. */
  readonly mayHold?: "settings" | "logs" | "rows";
  /** A number of any value: it cannot be an option, a path or code. */
  readonly isNumber?: true;
  /** A name that cannot be an option, but otherwise anything. */
  readonly isName?: true;
  /** Settings for the shell, which a tool of the machine printed for `eval`. */
  readonly isSetUp?: true;
  /** Every line starts with a number, a hash or such a name, followed by this character: `12:text`. */
  readonly lead?: { readonly is: "number" | "name"; readonly before: ":" | " " };
}

/** The value of a variable. */
export interface Value {
  readonly items: readonly string[];
  readonly isArray: boolean;
  readonly taint: number;
  /** Alternative values, depending on a branch. */
  readonly others?: readonly string[];
  /** `declare -i`: assigned values are evaluated as arithmetic. */
  readonly isInteger?: true;
  /** Whether it is exported. */
  readonly isExported?: true;
  /** Items with names, or at unknown indexes, which cannot be told apart. */
  readonly isUnordered?: true;
}

export const NO_INPUT: Stream = { text: "", taint: 0, listing: null };
export const UNKNOWN_STREAM: Stream = { text: null, taint: TAINT.data, listing: null };

export const field = (text: string, taint = 0): Field => ({ text, taint });
export const scalar = (text: string, taint = 0): Value => ({ items: [text], isArray: false, taint });
export const stream = (text: string | null, taint = 0): Stream => ({ text, taint, listing: null });

export function isKnown(text: string): boolean {
  return !text.includes(HOLE) && !hasGlob(text);
}

export function hasGlob(text: string): boolean {
  return text.includes(STAR) || text.includes(ANY_ONE);
}

export function has(taint: number, bits: number): boolean {
  return (taint & bits) !== 0;
}

/** The text for people, with `…` for unknown parts. */
export function display(text: string): string {
  return text.replaceAll(HOLE, "…").replaceAll(STAR, "*").replaceAll(ANY_ONE, "?");
}

/** Splits a stream into fields of a command line, like `$(…)` and `xargs`. */
export function streamField(from: Stream): Field {
  if (from.isNumber) return field(HOLE);
  if (from.isSetUp) return field(HOLE, TAINT.setUp);
  if (from.isName) return field(HOLE, from.taint | TAINT.name);
  if (from.listing !== null) {
    const base = from.listing.endsWith("/") ? from.listing : `${from.listing}/`;
    return field(`${base}${from.hasHidden ? "." : ""}${STAR}`, from.taint | TAINT.listing);
  }
  return field(HOLE, from.taint | TAINT.data);
}

/** The concatenated output of several commands. */
export function joinStreams(first: Stream, second: Stream): Stream {
  // `grep x || true`: what prints nothing changes nothing.
  if (first.text === "") return { ...second, taint: first.taint | second.taint };
  if (second.text === "") return { ...first, taint: first.taint | second.taint };
  const isNumber = first.isNumber === true && second.isNumber === true;
  const isName = [first, second].every((one) => one.isNumber === true || one.isName === true);
  if ((isNumber || isName) && first.text === null && second.text === null)
    return { ...stream(null, first.taint | second.taint), ...(isNumber ? { isNumber } : { isName: true as const }) };
  // Known parts stay known, with a hole for the rest.
  const text =
    first.text === null && second.text === null ? null : (first.text ?? `${HOLE}\n`) + (second.text ?? `${HOLE}\n`);
  return { text, taint: first.taint | second.taint, listing: first.listing ?? second.listing };
}
