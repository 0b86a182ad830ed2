import { runFile } from "../../programs/code/shells.ts";
import { hasOption, optionValues, parseOptions } from "../../programs/options.ts";
import type { Call, Handled, Shell } from "../grammar/shell.ts";
import { type Field, field, HOLE, isKnown, scalar, stream, TAINT, TAINTS_NEVER_RUN } from "../state/values.ts";
import { noteOwnName, setVariable } from "../state/variables.ts";
import { decodeEscapes } from "../words/escapes.ts";
import { isInside, resolvePath } from "../words/paths.ts";
import { formatPrintf } from "../words/printf.ts";
import { DONE, declare, unset } from "./declaring-builtins.ts";
import { readArray, readInto } from "./reading-builtins.ts";

/** A builtin that was handled and printed something unknown. */
const PRINTED: Handled = { output: stream(null), isTransparent: false };
/** Builtins that can print the current settings. */
const PRINTERS =
  /^(?:alias|trap|pushd|popd|cd|chdir|bind|complete|compgen|hash|enable|shopt|set|export|declare|typeset|local|readonly)$/;

/** Runs a builtin: it changes what later commands mean, or runs text as code. */
export function runBuiltin(shell: Shell, name: string, args: readonly Field[], call: Call): Handled | null {
  const handled = runKnownBuiltin(shell, name, args, call);
  if (handled !== DONE || !PRINTERS.test(name)) return handled;
  // `cd src` and `set -e` print nothing; listings, `cd -` and most queries do.
  const isQuiet = /^(?:cd|chdir)$/.test(name)
    ? !args.some(({ text }) => text === "-")
    : name === "set" && args.length > 0;
  return isQuiet ? DONE : PRINTED;
}

function runKnownBuiltin(shell: Shell, name: string, args: readonly Field[], call: Call): Handled | null {
  switch (name) {
    case "cd":
    case "chdir":
    case "pushd":
      return changeDirectory(shell, args);
    case "popd":
      shell.state.cwd = null;
      shell.state.hasMoved = true;
      return DONE;
    case "export":
    case "declare":
    case "typeset":
    case "local":
    case "readonly":
    case "integer":
    case "float":
      return declare(shell, args, name);
    case "unset":
      return unset(shell, args);
    case "alias":
      return defineAliases(shell, args);
    case "unalias":
      for (const { text } of args) {
        noteOwnName(shell, text);
        shell.state.aliases.delete(text);
      }
      return DONE;
    case "eval":
      return evaluate(shell, args, call);
    case "source":
    case ".":
      return source(shell, args, call);
    case "trap":
      return setTrap(shell, args);
    case "set":
      return setOptions(shell, args);
    case "shift":
      shell.state.positional = shell.state.positional?.slice(Number(args[0]?.text ?? 1) || 1) ?? null;
      return DONE;
    case "read":
      return readInto(shell, args, call);
    case "mapfile":
    case "readarray":
      return readArray(shell, args, call.stdin);
    case "let":
      for (const { text } of args) shell.evaluate(text);
      return DONE;
    case "test":
    case "[":
      return test(shell, args);
    case "getopts":
      return getOptions(shell, args);
    case "wait":
      for (const { text, taint } of optionValues(parseOptions(args, { short: "p" }), "-p"))
        setVariable(shell, text, scalar(HOLE, taint));
      return null;
    case "hash":
      return hashCommand(shell, args);
    case "enable":
      return enable(shell, args);
    case "shopt":
      return shellOption(shell, args);
    case "printf":
      return print(shell, args);
    case "bind":
    case "complete":
    case "compgen":
      return bindCommand(shell, args);
    case "exec":
      // Without a command, `exec` only opens files for the current shell.
      return args.length === 0 ? DONE : null;
    default:
      return null;
  }
}

function changeDirectory(shell: Shell, args: readonly Field[]): Handled {
  const target = parseOptions(args, {}).operands[0]?.text ?? shell.context.home;
  // A relative name is looked up in the folders of CDPATH first.
  const isElsewhere = !/^[./~]/.test(target) && ["CDPATH", "cdpath"].some((name) => shell.state.variables.has(name));
  const isFound = (isKnown(target) || isFolderOfProject(shell, target)) && target !== "-" && !isElsewhere;
  shell.state.cwd = isFound ? resolvePath(target, shell.state.cwd) : null;
  shell.state.hasMoved = true;
  return DONE;
}

/** `for d in services/*; do (cd "$d" && go vet ./...); done`: an unknown folder, but one of the project. */
function isFolderOfProject(shell: Shell, target: string): boolean {
  if (target.includes(HOLE) || target.includes("..")) return false;
  const resolved = resolvePath(target, shell.state.cwd);
  return resolved !== null && isInside(resolved, shell.context.workspace) && shell.state.links.size === 0;
}

/** `test -v 'a[$(cmd)]'` evaluates the subscript; bash's `-eq` evaluates both sides only in `[[`. */
function test(shell: Shell, args: readonly Field[]): Handled {
  for (const [at, arg] of args.entries())
    if (arg.text === "-v" || arg.text === "-R") shell.evaluate(args[at + 1]?.text ?? "");
  return DONE;
}

function getOptions(shell: Shell, args: readonly Field[]): Handled {
  const name = args[1];
  if (name !== undefined) setVariable(shell, name.text, scalar(HOLE, name.taint));
  setVariable(shell, "OPTARG", scalar(HOLE, TAINT.data));
  return DONE;
}

/** `hash -p /tmp/x ls`, and in zsh `hash ls=/tmp/x`: from now on the name runs that file. */
function hashCommand(shell: Shell, args: readonly Field[]): Handled | null {
  const paths = optionValues(parseOptions(args, { short: "p" }), "-p");
  for (const path of paths) shell.note("alias-defined", path.text, path.taint);
  for (const { text, taint } of args) if (/^[^-].*=/.test(text)) shell.note("alias-defined", text, taint);
  return null;
}

/** `enable -f ./x.so name` loads code into the shell; `enable -n test` lets a program replace a builtin. */
function enable(shell: Shell, args: readonly Field[]): Handled | null {
  if (args.some(({ text }) => /^-[a-z]*[fnd]/.test(text) || text.startsWith(HOLE)))
    shell.note("hook-defined", "enable");
  return null;
}

/** Options that change how later text is parsed. */
const READING_OPTIONS = /^(expand_aliases|extglob|lastpipe|xpg_echo|compat\d+|extdebug|sourcepath|assoc_expand_once)$/;

function shellOption(shell: Shell, args: readonly Field[]): Handled | null {
  const words = args.map(({ text }) => text);
  const sets = words.some((text) => /^-[a-z]*s/.test(text));
  if (sets && words.includes("xpg_echo")) shell.state.dialect = "posix";
  if (sets && words.some((text) => text === "lastpipe" || text === "extdebug" || !isKnown(text)))
    shell.note("hook-defined", "shopt");
  if (sets && words.some((text) => READING_OPTIONS.test(text))) return DONE;
  return null;
}

function defineAliases(shell: Shell, args: readonly Field[]): Handled {
  for (const arg of args) {
    const equals = arg.text.indexOf("=");
    if (equals <= 0) continue;
    const name = arg.text.slice(0, equals);
    const body = arg.text.slice(equals + 1);
    noteOwnName(shell, name);
    shell.note("alias-defined", name, arg.taint);
    shell.state.aliases.set(name, body);
    shell.state.newAliases.add(name);
    shell.inSubshell(() => {
      shell.state.aliases.delete(name);
      shell.runText(field(body, arg.taint), stream(null), `alias ${name}`);
    });
  }
  return DONE;
}

function evaluate(shell: Shell, args: readonly Field[], call: Call): Handled {
  const text = args.map((arg) => arg.text).join(" ");
  const taint = args.reduce((all, arg) => all | arg.taint, 0);
  return { output: shell.runText(field(text, taint), call.stdin, "eval"), isTransparent: true };
}

/** A file that is sourced: unless its text is known, it may redefine anything. */
function source(shell: Shell, args: readonly Field[], call: Call): Handled {
  const path = args[0];
  if (path === undefined) return DONE;
  const isInput = /^\/dev\/(stdin|fd\/0)$/.test(path.text);
  const content = isInput ? call.stdin : shell.readFile(path.text);
  if (content.text === null) {
    runFile(shell, path, args.slice(1), call);
    if ((content.taint & TAINTS_NEVER_RUN) === 0) shell.note("dynamic-code", path.text, path.taint);
    return DONE;
  }
  return { output: shell.runText(field(content.text, content.taint), call.stdin, path.text), isTransparent: true };
}

function setTrap(shell: Shell, args: readonly Field[]): Handled {
  const { operands } = parseOptions(args, {});
  const action = operands[0];
  // `trap - DEBUG` and `trap '' DEBUG`: what reports each command before it runs.
  if (operands.some(({ text }, at) => (at > 0 || operands.length === 1) && /^(?:SIG)?DEBUG$/i.test(text)))
    shell.note("shell-replaced", "trap DEBUG");
  if (action === undefined || action.text === "-" || action.text === "" || operands.length < 2) return DONE;
  // `trap "kill $server" EXIT`: the only unknown part is the id of a job of this shell.
  const isOwnJob = action.taint === TAINT.ownJob && action.text.split(HOLE).length === 2;
  const code = isOwnJob ? field(action.text.replace(HOLE, "$!")) : action;
  shell.note("hook-defined", "trap", code.taint);
  const later = assignedLater(shell, code.text);
  const run = () => shell.inSubshell(() => shell.runText(code, stream(null), "trap"));
  if (later === null) run();
  else
    shell.runAtEnd(() => {
      run();
      // The script may end before they are set.
      shell.inSubshell(() => {
        for (const name of later) setVariable(shell, name, scalar(""));
        run();
      });
    });
  return DONE;
}

/**
 * `trap 'rm -f "$tmp"' EXIT; tmp=$(mktemp)`: the variables of the action that have no value yet, if the script gives each
 * of them one value afterwards. Null if there are none, or if one of them may get any other value.
 */
function assignedLater(shell: Shell, action: string): readonly string[] | null {
  const named = [...action.matchAll(/\$\{?([A-Za-z_]\w*)/g)].map(([, name = ""]) => name);
  const unset = [...new Set(named)].filter((name) => !shell.state.variables.has(name) && name !== "HOME");
  const { source } = shell.frame;
  if (unset.length === 0 || !shell.spend(Math.ceil(source.length / 500))) return null;
  const words = source.match(/\$?\{?\b[A-Za-z_]\w*=?/g) ?? [];
  const isSetOnce = (name: string) => {
    const bare = words.filter((word) => word === name || word === `${name}=` || word === `{${name}`);
    return bare.length === 1 && bare[0] === `${name}=`;
  };
  return unset.every(isSetOnce) ? unset : null;
}

function setOptions(shell: Shell, args: readonly Field[]): Handled {
  if (args.length === 0) return { output: stream(null, TAINT.secret), isTransparent: false };
  const words = args.map(({ text }) => text);
  if (words.some((text, at) => text === "history" && words[at - 1] === "+o")) shell.note("meaning-removed", "history");
  if (
    words.some(
      (text, at) => /^(?:-[A-Za-z]*H|\+[A-Za-z]*K)/.test(text) || (text === "histexpand" && words[at - 1] !== "+o"),
    )
  )
    shell.note("history-expansion", "set -H");
  if (words.some((text) => /^-[A-Za-z]*a/.test(text) || text === "allexport")) shell.state.exportsAll = true;
  if (words.some((text) => /^\+[A-Za-z]*a/.test(text))) shell.state.exportsAll = false;
  if (words.some((text, at) => /^-[A-Za-z]*x/.test(text) || (text === "xtrace" && words[at - 1] !== "+o")))
    shell.state.isTraced = true;
  else if (words.some((text) => /^\+[A-Za-z]*x/.test(text) || text === "xtrace")) shell.state.isTraced = false;
  const dashes = args.findIndex(({ text }) => text === "--");
  if (dashes >= 0) shell.state.positional = args.slice(dashes + 1);
  else if (!/^[-+]/.test(args[0]?.text ?? "")) shell.state.positional = args;
  return DONE;
}

function print(shell: Shell, all: readonly Field[]): Handled | null {
  const attached = /^-v(.+)$/s.exec(all[0]?.text ?? "")?.[1];
  const args = attached === undefined ? all : [field("-v"), field(attached, all[0]?.taint), ...all.slice(1)];
  const name = args[1]?.text;
  if (args[0]?.text !== "-v" || name === undefined) return null;
  const printed = formatPrintf(args.slice(2));
  setVariable(shell, name, scalar(printed.text ?? HOLE, printed.taint));
  return DONE;
}

/** `bind -x '"\C-x": cmd'` and `complete -C cmd`: run when a key is pressed. */
function bindCommand(shell: Shell, args: readonly Field[]): Handled {
  const parsed = parseOptions(args, { short: "CFxfqrumA" });
  for (const command of optionValues(parsed, "-C", "-F")) deferred(shell, command, "complete");
  for (const binding of optionValues(parsed, "-x")) {
    const colon = binding.text.indexOf(":");
    deferred(
      shell,
      field(
        binding.text
          .slice(colon + 1)
          .trim()
          .replace(/^"(.*)"$/, "$1"),
        binding.taint,
      ),
      "bind -x",
    );
  }
  for (const { text, taint } of parsed.operands) {
    // A macro types its text, including Enter.
    const macro = /:\s*"(.*)"\s*$/.exec(text)?.[1];
    if (macro !== undefined) deferred(shell, field(decodeEscapes(macro.replaceAll("\\C-m", "\n")), taint), "bind");
  }
  if (hasOption(parsed, "-C", "-F", "-x") || parsed.operands.length > 0) shell.note("hook-defined", "bind or complete");
  return DONE;
}

function deferred(shell: Shell, code: Field, label: string): void {
  shell.inSubshell(() => shell.runText(code, stream(null), label));
}
