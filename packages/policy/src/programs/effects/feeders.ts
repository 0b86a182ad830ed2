import { isSecretPath } from "../../dangers/paths/secret-paths.ts";
import type { Call, Handled, Shell } from "../../language/grammar/shell.ts";
import { type Field, field, HOLE, STAR, type Stream, stream, streamField, TAINT } from "../../language/state/values.ts";
import { activateGlobs } from "../../language/words/glob.ts";
import { resolvePath } from "../../language/words/paths.ts";
import { parseOptions } from "../options.ts";
import { isGenerated } from "./generated.ts";
import { listedFolder } from "./output/listed-folder.ts";
import { printedSources, sourcesFound } from "./output/source-files.ts";
import { MAX_ITEMS, runXargs } from "./xargs.ts";

/** Programs that run a command on found or supplied items: `xargs`, `find -exec`, `fd -x`. */
export function runFeeder(shell: Shell, program: string, args: readonly Field[], call: Call): Handled | null {
  switch (program) {
    case "xargs":
    case "gxargs":
      return runXargs(shell, args, call);
    case "parallel":
      return runParallel(shell, args, call);
    case "find":
      return runFind(shell, args, call);
    case "fd":
    case "fdfind":
      return runFd(shell, args, call);
    default:
      return null;
  }
}

const PARALLEL_OPTIONS = {
  short: "jaILnNSPd",
  long: [
    "jobs",
    "arg-file",
    "halt",
    "joblog",
    "results",
    "tmpdir",
    "sshlogin",
    "timeout",
    "delay",
    "colsep",
    "max-args",
  ],
  stopsAtOperand: true,
};

/** Each item is appended to a line for a shell: `parallel rm ::: a b`, `ls | parallel rm`. */
function runParallel(shell: Shell, args: readonly Field[], call: Call): Handled {
  const { rest } = parseOptions(args, PARALLEL_OPTIONS);
  const colons = rest.findIndex(({ text }) => /^:::?:?\+?$/.test(text));
  const command = rest.slice(0, colons < 0 ? undefined : colons);
  const given = colons < 0 ? linesOf(call.stdin) : rest.slice(colons + 1).filter(({ text }) => !text.startsWith(":::"));
  const items = given.length === 0 || given.length > MAX_ITEMS ? [field(HOLE, TAINT.data)] : given;
  const line = command.map(({ text }) => text).join(" ");
  const taint = command.reduce((all, word) => all | word.taint, 0);
  shell.under({ wrappers: [...shell.how.wrappers, "parallel"] }, () => {
    for (const item of items) {
      const text = line.includes("{}") ? line.replaceAll("{}", item.text) : `${line} ${item.text}`;
      shell.inSubshell(() => shell.runText(field(text.trim(), taint | item.taint), stream(""), "parallel"));
    }
  });
  return { output: stream(null, call.stdin.taint), isTransparent: false };
}

/** Each line is one item, and without a command it is the command. */
function linesOf(input: Stream): Field[] {
  if (input.text === null) return [streamField(input)];
  const lines = input.text.split(/[\n\0]/).filter((line) => line.trim() !== "");
  return lines.length > MAX_ITEMS
    ? [field(HOLE, input.taint | TAINT.data)]
    : lines.map((line) => field(line, input.taint));
}

const FIND_RUNNERS = new Set(["-exec", "-execdir", "-ok", "-okdir"]);

function runFind(shell: Shell, args: readonly Field[], call: Call): Handled {
  const roots = findRoots(args);
  for (let at = 0; at < args.length; at += 1) {
    if (!FIND_RUNNERS.has(args[at]?.text ?? "")) continue;
    const end = args.findIndex(
      (arg, index) => index > at && (arg.text === ";" || (arg.text === "+" && args[index - 1]?.text === "{}")),
    );
    const command = args.slice(at + 1, end < 0 ? undefined : end);
    for (const root of roots) {
      const printed = printedSources(command[0], listOf(shell, root, args.slice(0, at)));
      runOnFound(shell, "find", command, printed ?? foundBelow(root, args), call);
    }
    if (end < 0) break;
    at = end;
  }
  const folder = listedFolder(
    shell,
    roots.map(({ text }) => text),
  );
  const listed = roots.find(({ text }) => resolvePath(text, shell.state.cwd) === folder) ?? field(".");
  const found = foundBelow(listed, args);
  const list = listOf(shell, listed, args);
  // The next program reads the output. If a secret was searched for by name, that program gets it.
  const output = found.text === below(listed).text ? list : stream(found.text, list.taint);
  return { output, isTransparent: false };
}

function listOf(shell: Shell, root: Field, args: readonly Field[]): Stream {
  const taint = printsOnlyNames(args) ? TAINT.listing : TAINT.listing | TAINT.data;
  const sources = sourcesFound(args);
  return {
    text: null,
    taint,
    listing: resolvePath(root.text, shell.state.cwd),
    ...(sources === null ? {} : { sources }),
  };
}

/** `find . -exec echo x \;` and `find . -printf x` print any text. */
function printsOnlyNames(args: readonly Field[]): boolean {
  return args.every(({ text }, at) => {
    const next = args[at + 1]?.text ?? "";
    if (FIND_RUNNERS.has(text)) return next !== "echo" && next !== "printf";
    return text !== "-printf" || /^(?:%[pPfh]|\\n|\\0|[/ ])+$/.test(next);
  });
}

/** The starting points of `find`: every operand before the first test. */
export function findRoots(args: readonly Field[]): Field[] {
  const first = args.findIndex((arg) => /^[-(!]/.test(arg.text) && !/^-([HLP]|O\d|D)/.test(arg.text));
  const roots = args.slice(0, first < 0 ? undefined : first).filter((arg) => !arg.text.startsWith("-"));
  return roots.length > 0 ? roots : [field(".")];
}

/** No file has a longer name. */
const MAX_NAME = 255;

/** The results of `find`: anything below the root, or only generated files if a name says so. */
export function foundBelow(root: Field, args: readonly Field[]): Field {
  const names = args.flatMap((arg, at) => (/^-i?name$/.test(arg.text) ? (args[at + 1] ?? []) : []));
  const isPlain = !args.some(({ text }) => /^(-o|-or|-not|!|,|-path|-regex|-newer)$/.test(text));
  const [name] = names;
  const pattern = activateGlobs(name?.text ?? "");
  const isTelling = name !== undefined && names.length === 1 && isPlain && name.text.length <= MAX_NAME;
  // If the search is for the name of a secret, the result is that secret.
  if (!isTelling || !(isGenerated(pattern) || isSecretPath(`/x/${pattern}`, "/x"))) return below(root);
  const base = root.text.endsWith("/") ? root.text : `${root.text}/`;
  return field(`${base}${STAR}/${pattern}`, root.taint | TAINT.listing);
}

function runFd(shell: Shell, args: readonly Field[], call: Call): Handled | null {
  const at = args.findIndex(({ text }) => FD_RUNNER.test(text) && !/^-[eEtSdocjC]/.test(text));
  const runner = args[at];
  if (runner === undefined) return null;
  // `-xrm`, `-HIx rm`, `--exec=rm`: the command may be attached.
  const attached = /^(?:-[A-Za-wyz0-9]*[xX]|--exec(?:-batch)?=)(.+)$/.exec(runner.text)?.[1];
  const command = [...(attached === undefined ? [] : [field(attached, runner.taint)]), ...args.slice(at + 1)];
  const own = args.slice(0, at);
  const root = searchRoot(own) ?? own.filter((arg) => !arg.text.startsWith("-"))[1] ?? field(".");
  const seesHidden = args
    .slice(0, at)
    .some(({ text }) => /^(-[a-zA-Z]*[Hu][a-zA-Z]*|--hidden|--unrestricted)$/.test(text));
  const hidden = field(`${below(root).text.slice(0, -1)}.${STAR}`, root.taint | TAINT.listing);
  runOnFound(shell, "fd", command, seesHidden ? hidden : below(root), call);
  return { output: stream(null, TAINT.listing), isTransparent: false };
}

/** `fd --search-path DIR`, `fd -C DIR`. */
function searchRoot(args: readonly Field[]): Field | undefined {
  const attached = args.find(({ text }) => /^--(?:search-path|base-directory)=/.test(text));
  if (attached !== undefined) return field(attached.text.slice(attached.text.indexOf("=") + 1), attached.taint);
  const at = args.findIndex(({ text }) => /^(?:--search-path|--base-directory|-C)$/.test(text));
  return at < 0 ? undefined : args[at + 1];
}

const FD_RUNNER = /^(-[A-Za-wyz0-9]*[xX]|--exec(-batch)?$|--exec(-batch)?=)/;

function below(root: Field): Field {
  const base = root.text.endsWith("/") ? root.text : `${root.text}/`;
  return field(base + STAR, root.taint | TAINT.listing);
}

function runOnFound(shell: Shell, by: string, command: readonly Field[], found: Field, call: Call): void {
  const argv = command.map((word) =>
    word.text.includes("{}") ? field(word.text.replaceAll("{}", found.text), word.taint | found.taint) : word,
  );
  const withFound = by === "fd" && argv.every((word) => !word.text.includes(STAR)) ? [...argv, found] : argv;
  shell.under({ wrappers: [...shell.how.wrappers, by] }, () => shell.inSubshell(() => shell.runArgv(withFound, call)));
}
