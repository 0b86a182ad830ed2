import type { ShellKind } from "../shell/hooks.ts";
import { quote, quoteForFish } from "../shell/quote.ts";
import { stateDump } from "../shell/state-dump.ts";
import { statusIn } from "../shell/state-script.ts";
import { ERRORS_FD, INPUT_FD, SCRIPT_FILE } from "./layer-script.ts";

export const BEFORE_FILE = "before";
export const AFTER_FILE = "after";

export interface WrappedLine {
  argv: [string, ...string[]];
  /** Written into `inDir` before the start. `SCRIPT_FILE` is what the program reads from stdin. */
  files: Record<string, string>;
}

interface Options {
  kind: ShellKind;
  shellPath: string;
  line: string;
  /** What `stateDump` returned for the line's shell; null if there is no such shell. */
  state: string | null;
  /** Applied on top of the state: the line's folder, and additional variables. */
  cwd: string;
  env: Record<string, string>;
  inDir: string;
  outDir: string;
}

const STATE_FILE = "state";
const LINE_FILE = "line";

/**
 * Runs a line in a copy of another shell: restores that shell's state, reports it, runs the line as if it had been
 * typed, and reports the state again. If the second report is missing, the line has ended its shell.
 *
 * The line must print what it would print in a terminal. So bash and zsh are interactive here, too, and read their
 * script from stdin, the way they read typed input: their messages then contain neither a file name nor a line number.
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

/** In one block: bash parses all of it before it runs it, so the state's aliases and prompt do not affect it. */
function wrapForBash(options: Options): WrappedLine {
  const { shellPath, line, state, inDir } = options;
  const script = [
    "{",
    // The script must not become part of the other shell's history.
    "\\builtin history -c; \\unset HISTFILE BASH_EXECUTION_STRING",
    ...posixPrelude(options),
    writeState(options, BEFORE_FILE),
    `__belay_line=$(<${quote(`${inDir}/${LINE_FILE}`)})`,
    lastStatus(options),
    `\\builtin eval "$__belay_line" ${OWN_DESCRIPTORS}`,
    "__belay_status=$?",
    ...reportAndExit(options, "\\builtin "),
    "}",
  ];
  return {
    argv: [shellPath, "--noprofile", "--norc", "--noediting", "-i"],
    files: { [SCRIPT_FILE]: lines(script), [STATE_FILE]: lines([state ?? ""]), [LINE_FILE]: lines([line]) },
  };
}

/** In two blocks: after some errors, zsh abandons the current block and continues with the next one. */
function wrapForZsh(options: Options): WrappedLine {
  const { shellPath, line, state, inDir } = options;
  const script = [
    "{",
    ...posixPrelude(options),
    writeState(options, BEFORE_FILE),
    `__belay_line=$(<${quote(`${inDir}/${LINE_FILE}`)})`,
    lastStatus(options),
    `\\builtin eval "$__belay_line" ${OWN_DESCRIPTORS}`,
    "}",
    "{ __belay_status=$?",
    ...reportAndExit(options, "\\builtin "),
    "}",
  ];
  return {
    argv: [shellPath, "-f", "-i", "-s"],
    files: { [SCRIPT_FILE]: lines(script), [STATE_FILE]: lines([state ?? ""]), [LINE_FILE]: lines([line]) },
  };
}

/** Fish does not name a file in the error messages of evaluated code. */
function wrapForFish(options: Options): WrappedLine {
  const { shellPath, line, state, cwd, env, inDir } = options;
  const text = lines([
    `source ${quoteForFish(`${inDir}/${STATE_FILE}`)} >/dev/null 2>&1`,
    `builtin cd -- ${quoteForFish(cwd)}`,
    ...Object.entries(env).map(([name, value]) => `set -gx ${name} ${quoteForFish(value)}`),
    writeState(options, BEFORE_FILE),
    `builtin read -gz __belay_line <${quoteForFish(`${inDir}/${LINE_FILE}`)}`,
    `function __belay_last; return ${statusIn(state ?? "")}; end; __belay_last`,
    "eval $__belay_line",
    "set -g __belay_status $status",
    writeState(options, AFTER_FILE),
    "exit $__belay_status",
  ]);
  return {
    argv: [shellPath, "--no-config", "-c", text],
    files: { [STATE_FILE]: lines([state ?? ""]), [LINE_FILE]: line },
  };
}

/** A plain sh puts "eval" or a file name before its error messages, except for those of code given with `-c`. */
function wrapForSh(options: Options): WrappedLine {
  const { shellPath, line, state, inDir } = options;
  const prelude = [...posixPrelude(options), writeState(options, BEFORE_FILE), lastStatus(options)];
  const ending = ["__belay_status=$?", ...reportAndExit(options, "\\command ")];
  const file = (name: string) => quote(`${inDir}/${name}`);
  return {
    argv: [shellPath, "-c", `. ${file("prelude")}\n${line}\n. ${file("ending")}`, shellPath],
    files: { prelude: lines(prelude), ending: lines(ending), [STATE_FILE]: lines([withoutFatal(state ?? "")]) },
  };
}

/** For a shell whose language is unknown. */
function wrapForOther({ shellPath, line, env }: Options): WrappedLine {
  const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`);
  return { argv: ["env", ...variables, shellPath, "-c", line], files: {} };
}

/** Gives the line its own stdin and stderr instead of the shell's. */
const OWN_DESCRIPTORS = `<&${INPUT_FD} 2>&${ERRORS_FD} ${INPUT_FD}<&- ${ERRORS_FD}>&-`;

function posixPrelude({ cwd, env, inDir }: Options): string[] {
  return [
    `. ${quote(`${inDir}/${STATE_FILE}`)} >/dev/null 2>&1`,
    NO_TRAP,
    // It is usually there already, and changing to it again would set OLDPWD.
    `case $PWD in ${quote(cwd)}) ;; *) CDPATH= \\command cd -- ${quote(cwd)} ;; esac`,
    ...Object.entries(env).map(([name, value]) => `\\export ${name}=${quote(value)}`),
  ];
}

/** Restores the exit status of the other shell's last command, except under `set -e`, where it would end this shell. */
function lastStatus({ state }: Options): string {
  const status = statusIn(state ?? "");
  return status === 0 ? ":" : `case $- in *e*) ;; *) ( \\exit ${status} ) ;; esac`;
}

/** Stderr is silenced, because an interactive shell prints "exit" at its end. */
function reportAndExit(options: Options, call: string): string[] {
  return [writeState(options, AFTER_FILE), NO_TRAP, `${call}exec 2>/dev/null`, `${call}exit $__belay_status`];
}

/** An EXIT trap belongs to the other shell, and must not run here. */
const NO_TRAP = "\\trap - EXIT";

/** Writes the shell's state to a file. */
function writeState({ kind, outDir }: Options, file: string): string {
  const dump = stateDump(kind);
  if (dump === null) return ":";
  const path = `${outDir}/${file}`;
  return kind === "fish"
    ? `begin\n${dump}\nbuiltin printf '# cwd %s\\n' $PWD\nend >${quoteForFish(path)} 2>/dev/null`
    : `{ ${dump}\n\\command printf '# cwd %s\\n' "$PWD"\n} >${quote(path)} 2>/dev/null`;
}

/**
 * Removes what a plain sh cannot read back: assigning some variables ends it, and with interactive options it asks for
 * more input after an error.
 */
function withoutFatal(state: string): string {
  return state
    .replaceAll(/^(?:PPID|OPTIND|LINENO|_|IFS)=(?:'[^']*'|[^'\n]*)$/gm, "")
    .replaceAll(/^set -o (?:interactive|stdin|monitor)$/gm, "");
}

function lines(all: readonly string[]): string {
  return `${all.join("\n")}\n`;
}
