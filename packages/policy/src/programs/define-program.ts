import type { Field } from "../language/state/values.ts";

/**
 * The effect of a program, or of one of its verbs. The list is ordered; of several effects the last one counts.
 *
 * - `read` only reads.
 * - `remote` reads over the network, with the user's own account.
 * - `work` builds, tests or checks the project, which may run the project's own code.
 * - `edit` writes the files it names.
 * - `sync` moves version control forward.
 * - `restore` installs what a lock file or a manifest names.
 * - `local` connects to servers on this machine.
 * - `change` alters something else.
 * - `install` adds new code.
 * - `code` runs code from its arguments.
 * - `network` connects to other machines.
 * - `secret` prints credentials.
 * - `publish` makes things public or changes a remote system.
 * - `destroy` removes data that cannot be recovered.
 */
export type Effect = (typeof EFFECTS)[number];

export const EFFECTS = [
  "read",
  "remote",
  "work",
  "edit",
  "sync",
  "restore",
  "local",
  "change",
  "install",
  "code",
  "network",
  "secret",
  "publish",
  "destroy",
] as const;

/** Whether `a` is graver than `b`. */
export function isStronger(a: Effect, b: Effect): boolean {
  return EFFECTS.indexOf(a) > EFFECTS.indexOf(b);
}

/** The meaning of an option's value, or of an operand. */
export type ValueKind =
  /** Text, a number, a name. */
  | "value"
  /** A path that is read. */
  | "read"
  /** A path that is written. */
  | "write"
  /** The folder that it works in. */
  | "folder"
  /** A command line or a program that is run. */
  | "code"
  /** A file or a module that controls what the program does, or contains code that it loads. */
  | "config"
  /** Another machine, a proxy or a registry that it sends data to, or whose certificates it trusts. */
  | "host";

export interface OptionMeaning {
  readonly name: string;
  readonly takes: "nothing" | "value" | "attached";
  readonly kind: ValueKind;
  readonly does: Effect | null;
}

/**
 * A verb: only an effect, or also the options that it takes besides those of its program.
 *
 * `options` is a list of words:
 * - `-abc` is three flags, `--name` is one.
 * - `-n:` and `--name:` take a value (`-TT:` is one name); `--name?` takes one only if it is attached.
 * - After the colon or question mark comes the kind of the value: nothing for plain text, `r` for a path that is read,
 *   `w` written, `d` a folder, `x` code, `c` configuration, `h` a host.
 * - `=effect` at the end gives the verb that effect: `--force=destroy`.
 */
export interface VerbSpec {
  readonly does: Effect;
  /** Its operands are another command. */
  readonly wraps?: Wraps;
  readonly options?: string;
  readonly operands?: ValueKind;
  /** Options that are not in the table are allowed if neither their name nor their value suggests that they load, run or write. */
  readonly isOpen?: boolean;
  /** None of its options writes, runs or loads anything: any option is allowed. */
  readonly isHarmless?: boolean;
  /** Words after the first operand belong to what the program runs: `python x.py --help`. */
  readonly stopsAtOperand?: boolean;
  /** It writes its operands: if one of these options is given, or if none of those is. */
  readonly rewrites?: { readonly with: readonly string[] } | { readonly unless: readonly string[] };
  /** Its first operand is the name of a script of the project: `npm run deploy`. */
  readonly namesScript?: boolean;
  readonly verbs?: Readonly<Record<string, VerbSpec | Effect>>;
  /** A custom check, if options and operands together decide. It may raise or lower the effect. */
  readonly check?: (use: ProgramUse) => Effect | null;
}

/** How to find the inner command, and what changes for it. */
export interface Wraps {
  /** How many operands come before the command: `timeout 5 …`. With 99, the command is only in the options. */
  readonly skip?: number;
  /** The operand to skip may be missing, because an option replaces it. */
  readonly maybeSkips?: true;
  /** `NAME=value` before the command, as with `env` and `sudo`. */
  readonly takesAssignments?: true;
  /** The operands are joined and passed to a shell: `watch`, `ssh`. */
  readonly joins?: true;
  /** Each operand is a separate command line: `hyperfine`. */
  readonly each?: true;
  /** Options whose value is passed to a shell. */
  readonly code?: readonly string[];
  /** The operands are further words of that option's value: `env -S 'a b' c`. */
  readonly codeTakesOperands?: true;
  /** Options after which everything is the command: `nix develop -c cmd …`. */
  readonly rest?: readonly string[];
  /** Words that the command after such an option begins with: `uv run -m x` is `python3 -m x`. */
  readonly restBegins?: readonly string[];
  /** Options that set the folder of the command. */
  readonly folder?: readonly string[];
  /** Options whose value is a command if it starts with a bar: `strace -o '|cmd'`. */
  readonly pipedOutput?: readonly string[];
  /** With one of these options it only prints information. */
  readonly exceptWith?: readonly string[];
  /** A dash alone is an option: `env - cmd`. */
  readonly lonelyDash?: true;
  /** The command begins after `--`, or after the first operand: `kubectl exec pod -- cmd`. */
  readonly afterDashes?: true;
  /** The first word is a package, and not a path: `npx @org/cli@2 deploy`. */
  readonly takesPackage?: true;
  /** The program that the operands are for: `yarn node x.js`. */
  readonly startsWith?: string;
  /** The operands are for this program, whose name is inserted before them: `yarn workspaces foreach run x` is `yarn run x`. */
  readonly before?: string;
  /** It usually starts a program that the project builds, so only a known program is judged: `dune exec -- git push`. */
  readonly knownOnly?: true;
  /** A command with this ending is a script for that program: `uv run main.py` is `python3 main.py`. */
  readonly scripts?: { readonly ending: string; readonly program: string };
  readonly effect?: "privileged" | "remote";
  /** Running the wrapper itself matters, not only what it runs. */
  readonly isOpaque?: true;
}

export interface ProgramSpec extends VerbSpec {
  readonly names: string;
  /** `-h` after a verb asks for help, and names no host. */
  readonly hasShortHelp?: boolean;
  /** `-name` is one long option, as in Go programs, `find` and `java`. */
  readonly hasSingleDashLong?: boolean;
  /** `-5` is a number of lines. */
  readonly takesNumbers?: boolean;
  /** Options that take a name and a value: `jq --arg name value`. */
  readonly pairs?: readonly string[];
  /** Options that are not in the table take the next word as their value: `aws … --filters X`. */
  readonly optionsTakeValues?: boolean;
  /** Its first operand is an expression, unless it is the name of a file: `yq '.[].key' f`. */
  readonly startsWithExpression?: boolean;
  /** Its operand is an address, which people often keep in an environment variable. */
  readonly takesAddress?: boolean;
  /** Whether no other option can change what this use does: `kill -0 "$pid"` only asks. */
  readonly isSettled?: (use: ProgramUse) => boolean;
  /** The effect of statements from its input. */
  readonly readsStatements?: (text: string) => Effect;
  /** Its own verbs, if other words belong to a command that it runs. */
  readonly ownWords?: (args: readonly Field[]) => readonly Field[];
  /** Words after its own verbs are arguments of what it runs. */
  readonly passesOn?: boolean;
  /** Its own options come before the verb; after it the same letters mean something else. */
  readonly hasGlobalsFirst?: boolean;
  /** For verbs such as `describe-instances`: the effect of a verb that is not listed, or null. */
  readonly verbEffect?: (words: readonly string[]) => Effect | null;
  /** Command lines that run without a question in profile `standard`, and that ask or are denied. The tests prove them. */
  readonly runs: readonly string[];
  readonly asks: readonly string[];
}

export interface OptionTable {
  readonly named: ReadonlyMap<string, OptionMeaning>;
}

/** The parsed command line of a known program. */
export interface ProgramUse {
  readonly program: Program;
  /** Which of its names was used. */
  readonly name: string;
  /** The verbs that were found, joined with spaces. */
  readonly verb: string;
  readonly does: Effect;
  readonly options: readonly UsedOption[];
  readonly operands: readonly Field[];
  readonly operandKind: ValueKind;
  /** The position of the last verb in the arguments; -1 without one. */
  readonly verbAt: number;
  /** An option or a verb that is not in the table. */
  readonly unknown: string | null;
  /** It has verbs, and the first word is none of them. */
  readonly lacksVerb: boolean;
  readonly wraps: Wraps | null;
  readonly stopsAtOperand: boolean;
  /** Runs a script of the project, whose name is the first operand. */
  readonly namesScript: boolean;
  /** Only asks for information: `--help`, `--version`. */
  readonly isQuestion: boolean;
  readonly isOpen: boolean;
}

export interface UsedOption {
  readonly name: string;
  readonly kind: ValueKind;
  readonly value: Field | null;
  readonly does: Effect | null;
  /** Given before the verb. */
  readonly isGlobal: boolean;
  /** Not in the table, for a program with more options than a table can list. */
  readonly isGuessed: boolean;
}

export interface Verb {
  readonly spec: VerbSpec;
  readonly options: OptionTable;
  readonly verbs: ReadonlyMap<string, Verb> | null;
}

export interface Program {
  readonly spec: ProgramSpec;
  readonly names: readonly string[];
  /** Computed at first use: most programs are never used. */
  root(): Verb;
}

/** A program as data: its options, what its verbs do, and examples that prove it. */
export function defineProgram(spec: ProgramSpec): Program {
  let root: Verb | null = null;
  return {
    spec,
    names: spec.names.split(" "),
    root: () => {
      root ??= compileVerb(spec, spec.hasSingleDashLong === true);
      return root;
    },
  };
}

function compileVerb(given: VerbSpec | Effect, hasSingleDashLong: boolean): Verb {
  const spec: VerbSpec = typeof given === "string" ? { does: given } : given;
  const verbs = new Map<string, Verb>();
  for (const [names, inner] of Object.entries(spec.verbs ?? {})) {
    const verb = compileVerb(inner, hasSingleDashLong);
    for (const name of names.split(" ")) verbs.set(name, verb);
  }
  return {
    spec,
    options: compileOptions(spec.options ?? "", hasSingleDashLong),
    verbs: spec.verbs === undefined ? null : verbs,
  };
}

const KINDS: Readonly<Record<string, ValueKind>> = {
  "": "value",
  r: "read",
  w: "write",
  d: "folder",
  x: "code",
  c: "config",
  h: "host",
};

function compileOptions(text: string, hasSingleDashLong: boolean): OptionTable {
  const named = new Map<string, OptionMeaning>();
  for (const word of text.split(/\s+/)) {
    if (word === "") continue;
    const match = /^(-[^:?=]*)(?:([:?])([rwdxch]?))?(?:=([a-z]+))?$/.exec(word);
    const written = match?.[1];
    const does = match?.[4] as Effect | undefined;
    const kind = KINDS[match?.[3] ?? ""];
    if (written === undefined || kind === undefined || (does !== undefined && !EFFECTS.includes(does)))
      throw new Error(`The option "${word}" of a program table cannot be read.`);
    const takes = match?.[2] === ":" ? "value" : match?.[2] === "?" ? "attached" : "nothing";
    const isLetters = !written.startsWith("--") && !hasSingleDashLong && takes === "nothing" && does === undefined;
    const names = isLetters ? [...written.slice(1)].map((letter) => `-${letter}`) : [written];
    for (const name of names) {
      // A multi-letter option, such as Maven's `-ntp`, does not change what its letters mean alone.
      if (!(isLetters && named.has(name))) named.set(name, { name, takes, kind, does: does ?? null });
    }
  }
  return { named };
}
