import type { ShellKind } from "../shell/hooks.ts";
import { quote, quoteForFish } from "../shell/quote.ts";
import { stateDump } from "../shell/state-dump.ts";
import { statusIn } from "../shell/state-script.ts";
import { COMPLAINTS_FD, INPUT_FD, SCRIPT_FILE } from "./layer-script.ts";

export const BEFORE_FILE = "before";
export const AFTER_FILE = "after";

export interface WrappedLine {
  argv: [string, ...string[]];
  /** Written into `inDir` before the start. One that is called `SCRIPT_FILE` is what the program reads from its input. */
  files: Record<string, string>;
}

interface Options {
  kind: ShellKind;
  shellPath: string;
  line: string;
  /** What `stateDump` gave of the shell that the line is for; null if there is no such shell. */
  state: string | null;
  /** On top of the state: where the line runs, and what its environment has besides. */
  cwd: string;
  env: Record<string, string>;
  inDir: string;
  outDir: string;
}

const STATE_FILE = "state";
const LINE_FILE = "line";

/**
 * A line for a shell that is like another one: it reads the other's state, says what it is like, runs the line as if it
 * had been typed, and says what it is like afterwards. Without that last word, the line has ended its shell.
 *
 * What the line prints has to be what it would print in a terminal. So bash and zsh are interactive here, too, and read
 * their script from their input, as they read what is typed: messages then name neither a file nor a line of it.
 */
export function wrapLine(options: Options): WrappedLine {
  switch (options.kind) {
    case "bash":
      return wrapForBash(options);
    case "zsh":
      return wrapForZsh(options);
    case "fish":
      return wrapForFish(options);
    case "sh":
      return wrapForSh(options);
    case "other":
      return wrapForOther(options);
  }
}

/** In one block, which is read as a whole before the first word of it runs: the state's aliases and its prompt come too late for it. */
function wrapForBash(options: Options): WrappedLine {
  const { shellPath, line, state, inDir } = options;
  const script = [
    "{",
    // What is typed here is no history of the other shell.
    "\\builtin history -c; \\unset HISTFILE BASH_EXECUTION_STRING",
    ...posixPrelude(options),
    tell(options, BEFORE_FILE),
    `__belay_line=$(<${quote(`${inDir}/${LINE_FILE}`)})`,
    lastStatus(options),
    `\\builtin eval "$__belay_line" ${OWN_DESCRIPTORS}`,
    "__belay_status=$?",
    ...lastWords(options, "\\builtin "),
    "}",
  ];
  return {
    argv: [shellPath, "--noprofile", "--norc", "--noediting", "-i"],
    files: { [SCRIPT_FILE]: lines(script), [STATE_FILE]: lines([state ?? ""]), [LINE_FILE]: lines([line]) },
  };
}

/** In two blocks: after some errors, zsh gives up what it was doing and reads what is typed next. */
function wrapForZsh(options: Options): WrappedLine {
  const { shellPath, line, state, inDir } = options;
  const script = [
    "{",
    ...posixPrelude(options),
    tell(options, BEFORE_FILE),
    `__belay_line=$(<${quote(`${inDir}/${LINE_FILE}`)})`,
    lastStatus(options),
    `\\builtin eval "$__belay_line" ${OWN_DESCRIPTORS}`,
    "}",
    "{ __belay_status=$?",
    ...lastWords(options, "\\builtin "),
    "}",
  ];
  return {
    argv: [shellPath, "-f", "-i", "-s"],
    files: { [SCRIPT_FILE]: lines(script), [STATE_FILE]: lines([state ?? ""]), [LINE_FILE]: lines([line]) },
  };
}

/** Fish names no file in the messages of what is evaluated. */
function wrapForFish(options: Options): WrappedLine {
  const { shellPath, line, state, cwd, env, inDir } = options;
  const text = lines([
    `source ${quoteForFish(`${inDir}/${STATE_FILE}`)} >/dev/null 2>&1`,
    `builtin cd -- ${quoteForFish(cwd)}`,
    ...Object.entries(env).map(([name, value]) => `set -gx ${name} ${quoteForFish(value)}`),
    tell(options, BEFORE_FILE),
    `builtin read -gz __belay_line <${quoteForFish(`${inDir}/${LINE_FILE}`)}`,
    `function __belay_last; return ${statusIn(state ?? "")}; end; __belay_last`,
    "eval $__belay_line",
    "set -g __belay_status $status",
    tell(options, AFTER_FILE),
    "exit $__belay_status",
  ]);
  return {
    argv: [shellPath, "--no-config", "-c", text],
    files: { [STATE_FILE]: lines([state ?? ""]), [LINE_FILE]: line },
  };
}

/** A plain shell puts "eval" or the name of a file before its messages, but not before those of what it is started with. */
function wrapForSh(options: Options): WrappedLine {
  const { shellPath, line, state, inDir } = options;
  const prelude = [...posixPrelude(options), tell(options, BEFORE_FILE), lastStatus(options)];
  const ending = ["__belay_status=$?", ...lastWords(options, "\\command ")];
  const file = (name: string) => quote(`${inDir}/${name}`);
  return {
    argv: [shellPath, "-c", `. ${file("prelude")}\n${line}\n. ${file("ending")}`, shellPath],
    files: { prelude: lines(prelude), ending: lines(ending), [STATE_FILE]: lines([withoutFatal(state ?? "")]) },
  };
}

/** Nothing is known of its language. */
function wrapForOther({ shellPath, line, env }: Options): WrappedLine {
  const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`);
  return { argv: ["env", ...variables, shellPath, "-c", line], files: {} };
}

/** The line's own input and errors, in place of those of the shell. */
const OWN_DESCRIPTORS = `<&${INPUT_FD} 2>&${COMPLAINTS_FD} ${INPUT_FD}<&- ${COMPLAINTS_FD}>&-`;

function posixPrelude({ cwd, env, inDir }: Options): string[] {
  return [
    `. ${quote(`${inDir}/${STATE_FILE}`)} >/dev/null 2>&1`,
    NO_TRAP,
    // It is there already, unless the state says otherwise: to go there would leave OLDPWD.
    `case $PWD in ${quote(cwd)}) ;; *) CDPATH= \\command cd -- ${quote(cwd)} ;; esac`,
    ...Object.entries(env).map(([name, value]) => `\\export ${name}=${quote(value)}`),
  ];
}

/** The status of the other shell's last command. With `set -e`, it would end this one. */
function lastStatus({ state }: Options): string {
  const status = statusIn(state ?? "");
  return status === 0 ? ":" : `case $- in *e*) ;; *) ( \\exit ${status} ) ;; esac`;
}

/** It says nothing more: an interactive shell would say "exit". */
function lastWords(options: Options, call: string): string[] {
  return [tell(options, AFTER_FILE), NO_TRAP, `${call}exec 2>/dev/null`, `${call}exit $__belay_status`];
}

/** A trap for the end of the shell is for the end of the other one. */
const NO_TRAP = "\\trap - EXIT";

/** What the shell is like, for the file. */
function tell({ kind, outDir }: Options, file: string): string {
  const dump = stateDump(kind);
  if (dump === null) return ":";
  const path = `${outDir}/${file}`;
  return kind === "fish"
    ? `begin\n${dump}\nbuiltin printf '# cwd %s\\n' $PWD\nend >${quoteForFish(path)} 2>/dev/null`
    : `{ ${dump}\n\\command printf '# cwd %s\\n' "$PWD"\n} >${quote(path)} 2>/dev/null`;
}

/** To assign some variables ends a plain shell; and one that takes itself for interactive asks for more after an error. */
function withoutFatal(state: string): string {
  return state
    .replaceAll(/^(?:PPID|OPTIND|LINENO|_|IFS)=(?:'[^']*'|[^'\n]*)$/gm, "")
    .replaceAll(/^set -o (?:interactive|stdin|monitor)$/gm, "");
}

function lines(all: readonly string[]): string {
  return `${all.join("\n")}\n`;
}
