import { type Dialect, dialectOf } from "../../language/grammar/dialects.ts";
import type { Call, Handled, Shell } from "../../language/grammar/shell.ts";
import {
  type Field,
  field,
  HOLE,
  has,
  isKnown,
  type Stream,
  scalar,
  stream,
  TAINT,
  TAINTS_NEVER_RUN,
} from "../../language/state/values.ts";
import { matchesWhole } from "../../language/words/glob.ts";
import { isInside, resolvePath } from "../../language/words/paths.ts";
import { noteWrittenCode } from "../effects/file-streams.ts";
import { isNamedTest } from "../names/grave-words.ts";
import { hasOption, optionValues, type ParsedOptions, parseOptions } from "../options.ts";

export const SHELL_PROGRAMS = new Set("sh bash dash zsh ksh ksh93 mksh ash rbash csh tcsh yash posh fish".split(" "));

const SHELL_OPTIONS = { short: "oO", long: ["rcfile", "init-file"], stopsAtOperand: true };

/** `bash -c text`, `bash file`, and a shell that reads its script from standard input. */
export function runShellProgram(shell: Shell, program: string, args: readonly Field[], call: Call): Handled | null {
  if (!SHELL_PROGRAMS.has(program)) return null;
  const parsed = parseShellOptions(args);
  if (hasOption(parsed, "--version", "--help")) return { output: stream(null), isTransparent: true };
  for (const startup of optionValues(parsed, "--rcfile", "--init-file")) runFile(shell, startup, [], call);

  const [operand, ...rest] = parsed.rest;
  const readsEscapes = optionValues(parsed, "-O", "-o").some(({ text }) => text === "xpg_echo");
  const child: ChildShell = {
    program,
    dialect: readsEscapes ? "posix" : dialectOf(program),
    isTraced: hasOption(parsed, "-x") || optionValues(parsed, "-o").some(({ text }) => text === "xtrace"),
  };
  if (hasOption(parsed, "-c")) {
    if (operand === undefined) return null;
    return { output: runCode(shell, operand, rest, call, child), isTransparent: true };
  }
  if (operand !== undefined && !hasOption(parsed, "-s") && operand.text !== "-") {
    if (hasOption(parsed, "-n")) return { output: stream(null), isTransparent: false };
    return { output: inChild(shell, child, call, () => runFile(shell, operand, rest, call)), isTransparent: false };
  }
  // `exec bash --norc`: from now on a shell without Belay's markers reads what is typed.
  if (shell.how.wrappers.includes("exec") && call.stdin.text === null) shell.note("shell-replaced", `exec ${program}`);
  return {
    output: inChild(shell, child, call, () =>
      runInput(shell, call.stdin, program, operand === undefined ? [] : [operand, ...rest]),
    ),
    isTransparent: call.stdin.text !== null && call.stdin.text !== "",
  };
}

/** `bash -O extglob +x script`: the options of a shell; `+x` turns one off. */
export function parseShellOptions(args: readonly Field[]): ParsedOptions {
  return parseOptions(
    args.filter(({ text }, at) => !(/^\+[a-zA-Z]+$/.test(text) && args.slice(0, at).every(isOption))),
    SHELL_OPTIONS,
  );
}

const isOption = ({ text }: Field) => /^[-+]/.test(text);

interface ChildShell {
  readonly program: string;
  readonly dialect: Dialect;
  readonly isTraced: boolean;
}

/**
 * Runs a child shell. It uses its own grammar, and gets the variables that are set before its name (`x=1 bash -c …`).
 */
function inChild(shell: Shell, { dialect, isTraced }: ChildShell, { env }: Call, work: () => Stream): Stream {
  return shell.inSubshell(() => {
    shell.state.isTraced = isTraced;
    shell.state.dialect = dialect;
    for (const [name, { text, taint }] of env)
      shell.state.variables.set(name, { ...scalar(text, taint), isExported: true });
    return work();
  });
}

function runCode(shell: Shell, code: Field, args: readonly Field[], call: Call, child: ChildShell): Stream {
  return inChild(shell, child, call, () => {
    const [zero, ...positional] = args;
    shell.state.positional = positional;
    if (zero) shell.state.variables.set("0", scalar(zero.text, zero.taint));
    // A child does not inherit aliases. It inherits functions only if they are exported; they are kept, because they
    // may be.
    shell.state.aliases.clear();
    return shell.runText(code, call.stdin, `${child.program} -c`);
  });
}

/** A script by its path: its content, if an earlier command wrote it. */
export function runFile(shell: Shell, path: Field, args: readonly Field[], call: Call): Stream {
  if (path.text === "/dev/stdin" || path.text === "/dev/fd/0" || path.text === "/proc/self/fd/0") {
    return runInput(shell, call.stdin, path.text, args);
  }
  // A secret that is sourced in place (`source .env`) goes nowhere: only a copy counts as a secret.
  const content = shell.readFile(path.text);
  if (has(content.taint | path.taint, TAINTS_NEVER_RUN))
    shell.note("tainted-code", path.text, content.taint | path.taint);
  noteWrittenCode(shell, content, path.text);
  if (content.text === null) {
    if (!isKnown(path.text)) {
      if (!isTestOfProject(shell, path.text)) shell.note("dynamic-code", path.text, path.taint);
      runWritten(shell, path.text, call);
    }
    return stream(null, content.taint);
  }
  const { text, taint } = content;
  return shell.inSubshell(() => {
    shell.state.positional = args;
    return shell.runText(field(text, taint), call.stdin, path.text);
  });
}

/** How many written files are tried as one that a wildcard may name. */
const MAX_WRITTEN = 8;

/** `bash scripts/*.sh`: the agent may have written one of these files. */
function runWritten(shell: Shell, path: string, call: Call): void {
  const pattern = resolvePath(path, shell.state.cwd);
  if (pattern === null) return;
  for (const file of shell.state.files.newestTexts(MAX_WRITTEN)) {
    if (matchesWhole(pattern, file.path))
      shell.inSubshell(() => shell.runText(field(file.text, file.taint), call.stdin, file.path));
  }
}

/** `for t in tests/*.sh; do bash "$t"; done`: one of the project's own tests, in a folder where the agent wrote nothing. */
function isTestOfProject({ state, context }: Shell, path: string): boolean {
  if (!isNamedTest(path) || state.links.size > 0) return false;
  const folder = resolvePath(path.slice(0, path.lastIndexOf("/")), state.cwd);
  return (
    folder !== null &&
    isInside(folder, context.workspace) &&
    !state.files.hasBelow(folder) &&
    state.files.getByFolder(`${folder}/x`) === undefined
  );
}

function runInput(shell: Shell, input: Stream, label: string, args: readonly Field[]): Stream {
  if (shell.how.isInPipeline) shell.note("pipe-to-shell", label);
  if (input.text === null) {
    if (has(input.taint, TAINTS_NEVER_RUN)) shell.note("tainted-code", label, input.taint);
    else shell.note(shell.how.isInPipeline ? "dynamic-input" : "dynamic-code", label, input.taint);
    return stream(null, input.taint | TAINT.shellOutput);
  }
  const { text, taint } = input;
  if (text === "") return stream(null, TAINT.shellOutput);
  return shell.inSubshell(() => {
    shell.state.positional = args;
    // The script reads its own remaining text as input.
    return shell.runText(field(text.replaceAll("\0", HOLE), taint), stream(null), label);
  });
}
