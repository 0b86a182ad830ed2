import { isProjectPath } from "../dangers/paths/project-paths.ts";
import { runBuiltin } from "../language/commands/builtins.ts";
import { callFunction } from "../language/commands/functions.ts";
import { runZshBuiltin } from "../language/commands/zsh-builtins.ts";
import type { Call, Handled, Shell } from "../language/grammar/shell.ts";
import { rememberLinks } from "../language/state/links.ts";
import {
  type Field,
  field,
  HOLE,
  has,
  hasGlob,
  isKnown,
  NO_INPUT,
  STAR,
  type Stream,
  stream,
  TAINT,
  TAINTS_NEVER_RUN,
} from "../language/state/values.ts";
import { couldMatchAny } from "../language/words/glob.ts";
import { baseName, resolvePath } from "../language/words/paths.ts";
import { programCalled } from "./called.ts";
import { programNamed } from "./catalog/index.ts";
import { runInterpreter } from "./code/interpreters.ts";
import { runShellProgram } from "./code/shells.ts";
import { judgeWritten } from "./code/written/written-code.ts";
import { runCommandOptions } from "./command-options.ts";
import { fileEffects } from "./effects/effects.ts";
import { runFeeder } from "./effects/feeders.ts";
import { noteWrittenCode } from "./effects/file-streams.ts";
import { indirectReads } from "./effects/indirect-reads.ts";
import { copyFolders } from "./effects/kinds/foreign-folders.ts";
import { outputOf } from "./effects/output/outputs.ts";
import { readUse } from "./effects/read-use.ts";
import { resolveEffect } from "./effects/resolved-effects.ts";
import { printsSetUp } from "./names/shell-set-up.ts";
import { worksOnProduction } from "./production.ts";
import { runTail, unwrap } from "./unwrap.ts";

/**
 * Simulates starting one program.
 *
 * 1. Its name may be unknown; then it is judged as every candidate.
 * 2. A function of that name takes precedence, unless a wrapper bypasses it.
 * 3. What it runs in turn is simulated; what it reads, writes and prints is determined.
 */
export function runProgram(shell: Shell, argv: readonly Field[], call: Call): Stream {
  const [first, ...args] = argv;
  if (first === undefined) return NO_INPUT;
  if (!isKnown(first.text) && !isBuiltHere(shell, first)) return runDynamic(shell, first, args, call);
  if (has(first.taint, TAINTS_NEVER_RUN)) shell.note("tainted-program", first.text, first.taint);

  if (has(first.taint, TAINT.unset)) {
    shell.note("dynamic-program", first.text, first.taint);
    // If the first word is empty, the next word is the program.
    shell.runArgv(args, call);
  }

  const path = first.text;
  const program = programCalled(path, args);
  const defined =
    !path.includes("/") && shell.how.wrappers.length === shell.how.wrappersOutside
      ? shell.state.functions.get(path)
      : undefined;
  if (defined !== undefined) {
    if (defined.isCertain) return callFunction(shell, path, defined, args, call.stdin);
    // The function may not exist. Its assignments then do not apply.
    const before = shell.state;
    const taken = before.copy();
    shell.state = taken;
    callFunction(shell, path, defined, args, call.stdin);
    shell.state = before;
    before.mergeBranch(taken);
  }
  if (path === "$0" || (program === "$0" && shell.how.isBackground)) shell.note("fork-bomb", "$0");

  const handled = runsOther(shell, path, program, args, call);
  const touched = [...call.effects, ...fileEffects(shell, program, args, call.stdin), ...indirectReads(program, args)];
  const effects = touched.map((effect) => resolveEffect(shell, effect));
  const output =
    handled?.output ??
    (printsSetUp(path, args)
      ? { ...stream(null), isSetUp: true as const }
      : outputOf(shell, program, args, call.stdin, effects));
  runCommandOptions(shell, program, args, call.stdin);
  judgeWritten(shell, program, args);
  rememberLinks(shell, program, args);
  const brought = copyFolders(shell, program, args);
  const file = path.includes("/") ? shell.readFile(path) : null;
  shell.record({
    ...shell.how,
    program,
    path,
    args,
    env: call.env,
    stdin: call.stdin,
    effects: effects.map((effect) => (effect.content === null ? { ...effect, content: output } : effect)),
    redirects: call.effects,
    cwd: shell.state.cwd,
    isBuilt: file?.isBuilt === true,
    isWritten: file?.isWritten === true,
    inProduction: worksOnProduction(shell, program, args, call.env),
    span: shell.span(),
    isTransparent: handled?.isTransparent ?? false,
  });
  // Redirections come first in the list, but the shell writes them after the command has run.
  for (const effect of effects.slice(call.effects.length)) {
    if (effect.type === "delete") shell.removeFile(effect.path.text);
    else if (effect.type !== "read")
      shell.writeFile(effect.path.text, effect.content ?? output, { isAppended: effect.type === "append" });
  }
  for (const { folder, taint } of brought) shell.state.files.set(folder, { taint, text: null, isUnpacked: true });
  return output;
}

function runsOther(shell: Shell, path: string, program: string, args: readonly Field[], call: Call): Handled | null {
  const builtin =
    path === program ? (runZshBuiltin(shell, program, args, call) ?? runBuiltin(shell, program, args, call)) : null;
  if (builtin !== null) return builtin;
  const asShell = runShellProgram(shell, program, args, call);
  if (asShell !== null) return asShell;
  const interpreted = runInterpreter(shell, program, args, call);
  if (interpreted !== null) return interpreted;
  const fed = runFeeder(shell, program, args, call);
  if (fed !== null) return fed;
  const inner = unwrap(shell, program, args, call);
  if (inner !== null) return { output: inner.output, isTransparent: inner.isTransparent };
  const interpreter = TASK_SCRIPTS.get(program);
  if (interpreter !== undefined && path.includes("/")) runInterpreter(shell, interpreter, [field(path), ...args], call);
  if (path.includes("/")) {
    const script = runScriptFile(shell, path, args, call);
    // Arguments of the project's own scripts are up to the scripts.
    if (script !== null || isProjects(shell, path)) return script;
  }
  const known = programNamed(program);
  if (known === undefined || readUse(known, program, args).unknown !== null) runTail(shell, program, args, call);
  return null;
}

/** Scripts of frameworks that take code of their language, and the interpreter that their first line names. */
const TASK_SCRIPTS: ReadonlyMap<string, string> = new Map([
  ["manage.py", "python3"],
  ["artisan", "php"],
]);

function isProjects({ context, state: { cwd } }: Shell, path: string): boolean {
  const resolved = resolvePath(path, cwd);
  return resolved !== null && isProjectPath(resolved, cwd, context);
}

/** Folders in which compilers of the project put programs. */
const BUILT: ReadonlySet<string> = new Set(
  "target build zig-out dist-newstyle _build .build bazel-bin cmake-build-debug cmake-build-release".split(" "),
);

/**
 * `$(find target/debug -type f -executable)`: some program that was built from the project, into a folder in which the
 * agent has written nothing.
 */
function isBuiltHere(shell: Shell, { text, taint }: Field): boolean {
  if (taint !== TAINT.listing || !text.endsWith(`/${STAR}`)) return false;
  const folder = text.slice(0, -2);
  const { files, links } = shell.state;
  return (
    isKnown(folder) &&
    isProjects(shell, folder) &&
    folder
      .slice(shell.context.workspace.length)
      .split("/")
      .some((step) => BUILT.has(step)) &&
    links.size === 0 &&
    !files.hasBelow(folder) &&
    files.getByFolder(`${folder}/x`) === undefined
  );
}

/** `./x` after a command wrote `./x`: that content is what runs. */
function runScriptFile(shell: Shell, path: string, args: readonly Field[], call: Call): Handled | null {
  const content = shell.readFile(path);
  if (has(content.taint, TAINTS_NEVER_RUN)) shell.note("tainted-code", path, content.taint);
  noteWrittenCode(shell, content, path);
  if (content.text === null) return null;
  const { text, taint } = content;
  const output = shell.inSubshell(() => {
    shell.state.positional = args;
    return shell.runText(field(text, taint), call.stdin, path);
  });
  return { output, isTransparent: false };
}

/** Programs against which a wildcard in the first word is tried. */
const WILDCARD_SUSPECTS =
  "rm dd sh bash dash zsh sudo su shred mkfs mkfs.ext4 wipefs curl wget nc chmod chown mv cp tee find python3 perl shutdown reboot git gh npm pnpm yarn cargo docker podman kubectl helm terraform aws gcloud az psql mysql redis-cli sqlite3 cat head tail less printenv env unlink truncate kill pkill killall crontab ssh scp rsync node ruby php".split(
    " ",
  );

function runDynamic(shell: Shell, first: Field, args: readonly Field[], call: Call): Stream {
  const tainted = has(first.taint, TAINTS_NEVER_RUN);
  // `run() { "$@"; }`: each call is judged with the command that it passes on.
  const isParameter = first.text === HOLE && first.taint === (TAINT.data | TAINT.parameter);
  if (!isParameter) shell.note(tainted ? "tainted-program" : "dynamic-program", first.text, first.taint);
  const taint = args.reduce((all, arg) => all | arg.taint, first.taint | call.stdin.taint | TAINT.data);
  const hasLetters = /[a-z]/.test(baseName(first.text));
  if (hasGlob(first.text) && !first.text.includes(HOLE) && hasLetters) {
    for (const suspect of WILDCARD_SUSPECTS) {
      if (couldMatchAny(baseName(first.text), [suspect])) shell.runArgv([field(suspect), ...args], call);
    }
  } else if (first.text === HOLE && has(first.taint, TAINT.unset) && args.length > 0) {
    // `$SUDO rm -rf /` is `rm -rf /` if the variable is empty.
    shell.runArgv(args, call);
  }
  return stream(null, taint);
}
