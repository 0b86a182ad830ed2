import type { Call, Shell } from "../language/grammar/shell.ts";
import { judgeEnvironment } from "../language/state/env-hooks.ts";
import { type Field, field, type Stream, stream, TAINT } from "../language/state/values.ts";
import { baseName, resolvePath } from "../language/words/paths.ts";
import { programNamed } from "./catalog/index.ts";
import { isStronger, type ProgramUse, type Wraps } from "./define-program.ts";
import { readUse } from "./effects/read-use.ts";

export interface Unwrapped {
  /** It only runs that command. */
  readonly isTransparent: boolean;
  readonly output: Stream;
}

/** Runs the inner command of a wrapper; null if the program is not a wrapper. */
export function unwrap(shell: Shell, program: string, args: readonly Field[], call: Call): Unwrapped | null {
  const known = programNamed(program);
  if (known === undefined) return null;
  const use = readUse(known, program, args);
  const { wraps } = use;
  if (wraps === null || use.isQuestion || use.options.some(({ name }) => wraps.exceptWith?.includes(name))) return null;
  const found = findCommands(wraps, use, args);
  if (wraps.knownOnly && programNamed(baseName(found.argv[0]?.text ?? "")) === undefined) return null;
  if (found.codes.length === 0 && found.argv.length === 0) return null;

  const isTransparent =
    !wraps.isOpaque &&
    use.unknown === null &&
    !isStronger(use.does, known.spec.does) &&
    use.options.every(({ kind, does, isGuessed }) => !RISKY.has(kind) && does === null && !isGuessed);
  const folder = use.options.find(({ name }) => wraps.folder?.includes(name))?.value;
  const output = shell.under(
    {
      wrappers: [...shell.how.wrappers, program],
      isPrivileged: shell.how.isPrivileged || wraps.effect === "privileged",
    },
    () =>
      folder
        ? shell.inSubshell(() => runIn(shell, folder, () => run(shell, program, found, call)))
        : run(shell, program, found, call),
  );
  // Its output comes from another machine.
  const elsewhere = wraps.effect === "remote" ? { ...output, text: null, taint: output.taint | TAINT.network } : output;
  return { isTransparent, output: elsewhere };
}

const RISKY = new Set(["code", "config", "host"]);

interface Commands {
  readonly codes: readonly Field[];
  readonly argv: readonly Field[];
  readonly takesAssignments: boolean;
}

function findCommands(wraps: Wraps, use: ProgramUse, args: readonly Field[]): Commands {
  const takesAssignments = wraps.takesAssignments === true;
  const none: Commands = { codes: [], argv: [], takesAssignments };
  const valued = (names: readonly string[] | undefined) =>
    use.options.filter(({ name }) => names?.includes(name)).flatMap(({ value }) => value ?? []);
  const piped = valued(wraps.pipedOutput).flatMap(({ text, taint }) =>
    /^[|!]/.test(text) ? [field(text.slice(1), taint)] : [],
  );
  const rest = args.findIndex(({ text }) => wraps.rest?.includes(text));
  // `uv run python -m x`: the option belongs to the inner command.
  const isInner = use.stopsAtOperand && use.operands[0] !== undefined && rest > args.indexOf(use.operands[0]);
  if (rest >= 0 && !isInner) {
    const begins = (wraps.restBegins ?? []).map((word) => field(word));
    return { ...none, argv: [...begins, ...args.slice(rest + 1)] };
  }
  const codes = [...valued(wraps.code), ...piped];
  if (wraps.codeTakesOperands && codes.length > 0 && use.operands.length > 0)
    return { ...none, argv: [...codes.flatMap(splitWords), ...use.operands] };
  // `flock file -c cmd`, `su user -c cmd`: the option may follow an operand.
  const late = use.operands.findIndex(({ text }) => wraps.code?.includes(text));
  if (late > 0 && late <= (wraps.skip ?? 0)) codes.push(...use.operands.slice(late + 1, late + 2));
  if (late > 0 && codes.length > 0) return { ...none, codes };
  if (wraps.each) return { ...none, codes: [...codes, ...use.operands] };
  let operands = use.operands;
  if (wraps.lonelyDash && operands[0]?.text === "-") operands = operands.slice(1);
  if (wraps.skip === 99) return { ...none, codes };
  if (wraps.startsWith !== undefined)
    return { ...none, argv: [field(wraps.startsWith), ...args.slice(use.verbAt + 1)] };
  if (wraps.before !== undefined) return { ...none, argv: withProgram(wraps.before, operands.slice(wraps.skip ?? 0)) };
  if (wraps.afterDashes) {
    const dashes = args.findIndex(({ text }) => text === "--");
    return { ...none, codes, argv: dashes < 0 ? operands.slice(1) : args.slice(dashes + 1) };
  }
  const first = takesAssignments
    ? Math.max(
        0,
        operands.findIndex(({ text }) => !/^\w+=/.test(text)),
      )
    : 0;
  // `mise x node@20 -- cmd`: what follows is the command, whatever was left out before.
  const dashes = wraps.maybeSkips ? args.findIndex(({ text }) => text === "--") : -1;
  if (dashes >= 0) return { codes, argv: args.slice(dashes + 1), takesAssignments };
  const skipped =
    wraps.maybeSkips && programNamed(baseName(operands[0]?.text ?? "")) !== undefined ? 0 : (wraps.skip ?? 0);
  const argv = skipped === 0 ? operands : operands.slice(first + skipped);
  const given = argv[0]?.text === "--" ? argv.slice(1) : argv;
  const inner = wraps.takesPackage ? given.map((word, at) => (at === 0 ? packageProgram(word) : word)) : given;
  if (wraps.scripts && inner[0]?.text.endsWith(wraps.scripts.ending))
    return { ...none, codes, argv: [field(wraps.scripts.program), ...inner] };
  if (wraps.joins && inner.length > 0) {
    const text = inner.map((word) => word.text).join(" ");
    return {
      ...none,
      codes: [
        ...codes,
        field(
          text,
          inner.reduce((all, word) => all | word.taint, 0),
        ),
      ],
    };
  }
  return { codes, argv: inner, takesAssignments };
}

const withProgram = (program: string, words: readonly Field[]) =>
  words.length === 0 ? [] : [field(program), ...words];

/** The program of a package, by its name: `wrangler@4` is `wrangler`, and `@railway/cli` is `railway`. */
function packageProgram(word: Field): Field {
  const [, scope, name = ""] = /^(?:@([\w.-]+)\/)?([\w.-]+)(?:@[\w.^~-]+)?$/.exec(word.text) ?? [];
  if (name === "") return word;
  if (scope === undefined) return programNamed(name) === undefined ? word : field(name, word.taint);
  // Tools with a table of their own are listed by their whole name.
  if (programNamed(`@${scope}/${name}`) !== undefined) return word;
  return field(/^(?:cli|core|test|tools?)$/.test(name) ? scope : name, word.taint);
}

/** Splits like `env -S`: at blanks outside quotes. */
function splitWords({ text, taint }: Field): Field[] {
  return [...text.matchAll(/"([^"]*)"|'([^']*)'|[^\s'"]+/g)].map((match) =>
    field(match[1] ?? match[2] ?? match[0], taint),
  );
}

function run(shell: Shell, program: string, { codes, argv, takesAssignments }: Commands, call: Call): Stream {
  let output: Stream = stream(null);
  for (const code of codes) output = shell.inSubshell(() => shell.runText(code, call.stdin, program));
  if (argv.length === 0) return output;
  const inner = takesAssignments ? takeAssignments(shell, argv, call.env) : { env: call.env, argv };
  return inner.argv.length === 0 ? output : shell.runArgv(inner.argv, { ...call, env: inner.env });
}

function runIn<T>(shell: Shell, directory: Field, work: () => T): T {
  shell.state.cwd = resolvePath(directory.text, shell.state.cwd);
  return work();
}

function takeAssignments(shell: Shell, words: readonly Field[], env: ReadonlyMap<string, Field>) {
  const all = new Map(env);
  let at = 0;
  for (; at < words.length; at += 1) {
    const word = words[at];
    const match = /^([A-Za-z_][\w%()]*)=([\s\S]*)$/.exec(word?.text ?? "");
    if (word === undefined || match?.[1] === undefined) break;
    all.set(match[1], field(match[2] ?? "", word.taint));
  }
  judgeEnvironment(shell, all);
  return { env: all, argv: words.slice(at) };
}

/** Options after which an unknown program may take a command line. */
const COMMAND_OPTION = /^(-c|-e|-x|--?(run|exec|command|cmd|shell|script|eval))$/;

const ATTACHED_COMMAND = /^--?(?:wrap|run|exec|command|cmd|shell|script|eval)=(\s*[\w./-]+\s+\S[\s\S]*)$/;
/** Verbs after which an unknown program takes a command line. */
const EXECUTES = /^(?:exec|run|ssh|sh|shell|cmd|command|console)$/;

function isCommandLine(text: string): boolean {
  return /^\s*[\w./-]+\s+\S/.test(text) && !text.startsWith("-");
}

/**
 * An unknown program may run its arguments: `srun rm -rf /`. The first word that is a known program is judged as a
 * command, together with the rest; so is the text after an option of this kind.
 */
export function runTail(shell: Shell, program: string, args: readonly Field[], call: Call): void {
  // A lone dot is the working directory: the command of that name exists only within a shell.
  const from = args.findIndex(
    ({ text }) => text !== "." && /^[\w./-]+$/.test(text) && programNamed(baseName(text)) !== undefined,
  );
  shell.under({ wrappers: [...shell.how.wrappers, program] }, () => {
    if (from >= 0) shell.inSubshell(() => shell.runArgv(args.slice(from), { ...call, effects: [] }));
    for (const [at, { text, taint }] of args.entries()) {
      const code = args[at + 1];
      // `sbatch --wrap='cmd x'`
      const attached = ATTACHED_COMMAND.exec(text)?.[1];
      if (attached !== undefined) shell.inSubshell(() => shell.runText(field(attached, taint), stream(""), program));
      if (code !== undefined && COMMAND_OPTION.test(text) && (text.startsWith("--") || /[\s{}$`;|&<>]/.test(code.text)))
        shell.inSubshell(() => shell.runText(code, stream(""), program));
      // `ray exec cluster.yaml 'rm -rf x'`: a command line in one word.
      else if (isCommandLine(text) && args.slice(0, at).some((word) => EXECUTES.test(word.text)))
        shell.inSubshell(() => shell.runText(field(text, taint), stream(""), program));
    }
  });
}
