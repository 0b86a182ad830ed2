/**
 * Strings as far as they can be known before anything runs.
 *
 * What is not known stands in the string as one of three private characters, so that
 * `"$X/bin"` is still known to end in `/bin`. A text that brings such characters itself
 * is noticed as having invisible characters, and is never allowed.
 */
export const HOLE = "\uE000";
/** An active `*`: names of files that exist. */
export const STAR = "\uE001";
/** An active `?` or `[…]`: one character of such a name. */
export const ANY_ONE = "\uE002";

/** Where data came from, as bits, because one string can have several origins. */
export const TAINT = {
  network: 1,
  encoded: 2,
  secret: 4,
  /** Output of a command, or input: somebody else's text. */
  data: 8,
  /** A variable that nothing here set: it may well be empty. */
  unset: 16,
  /** Names of files below a directory that was listed. */
  listing: 32,
  /** The value of a variable whose name says that it is a secret. */
  secretVariable: 64,
  /** What a shell prints that takes its commands from somewhere else. */
  shellOutput: 128,
  /** The process id of a job that this shell started. */
  ownJob: 4096,
  /** A parameter of a function that is being defined: each call is judged with its own. */
  parameter: 8192,
} as const;

/** Data that must never become code. */
export const TAINTS_NEVER_RUN = TAINT.network | TAINT.encoded | TAINT.secret;

/** One word of a command line after every expansion. */
export interface Field {
  readonly text: string;
  readonly taint: number;
  /** `name=(…)` after `declare`: the items were expanded where they stand, and nothing reads them again. */
  readonly isExpandedArray?: true;
}

/** What flows through a pipe. */
export interface Stream {
  /** Null where it cannot be known. May have holes. */
  readonly text: string | null;
  readonly taint: number;
  /** For a list of file names: the directory they are in. */
  readonly listing: string | null;
  /** Such a list has hidden names in it too. */
  readonly hasHidden?: true;
  /** It is what is in a file that the agent wrote. */
  readonly isWritten?: true;
  /** It is what is in a file that no agent was seen to write. */
  readonly isProjects?: true;
  /** It is what a compiler made of the project. */
  readonly isBuilt?: true;
  /** It is an archive, and these of its members are from somewhere else. */
  readonly members?: readonly string[];
  /** One number, whatever it is: nothing that could be an option, a path or code. */
  readonly isNumber?: true;
}

/** What a variable holds. */
export interface Value {
  readonly items: readonly string[];
  readonly isArray: boolean;
  readonly taint: number;
  /** What it may hold instead, where a branch decides. */
  readonly others?: readonly string[];
  /** `declare -i`: whatever is assigned is evaluated as arithmetic. */
  readonly isInteger?: true;
  /** Programs get it. */
  readonly isExported?: true;
  /** Items with names, or set at places that are not known: which is which cannot be told. */
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

/** As a person would write it: `…` for what is not known. */
export function display(text: string): string {
  return text.replaceAll(HOLE, "…").replaceAll(STAR, "*").replaceAll(ANY_ONE, "?");
}

/** Makes what a stream holds into fields of a command line, the way `$(…)` and `xargs` do. */
export function streamField(from: Stream): Field {
  if (from.isNumber) return field(HOLE);
  if (from.listing !== null) {
    const base = from.listing.endsWith("/") ? from.listing : `${from.listing}/`;
    return field(`${base}${from.hasHidden ? "." : ""}${STAR}`, from.taint | TAINT.listing);
  }
  return field(HOLE, from.taint | TAINT.data);
}

/** One after the other, as commands print. */
export function joinStreams(first: Stream, second: Stream): Stream {
  if (first === NO_INPUT) return second;
  if (second === NO_INPUT) return first;
  // What is known of it stays known, with a hole where the rest is.
  const text =
    first.text === null && second.text === null ? null : (first.text ?? `${HOLE}\n`) + (second.text ?? `${HOLE}\n`);
  return { text, taint: first.taint | second.taint, listing: first.listing ?? second.listing };
}
