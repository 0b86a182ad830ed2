import type { Invocation } from "../language/commands/invocation.ts";
import type { Field } from "../language/state/values.ts";
import { awkSources, readAwkScript } from "./code/scripts/awk-script.ts";
import { readSedScript, sedSources } from "./code/scripts/sed-script.ts";
import type { ProgramUse } from "./define-program.ts";

/** The names of standard input as a file. */
const INPUT: ReadonlySet<string> = new Set(["-", "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"]);

/**
 * Programs whose first operand is a program in their own language. Without one, most of them read it from their input.
 */
const RUN_FILES: ReadonlySet<string> = new Set(
  "deno bun runghc runhaskell clojure clj bb coffee scala scala-cli amm groovy kotlin swipl ocaml mono gnuplot prove erl escript dotnet java jshell busted nim crystal raku sbcl".split(
    " ",
  ),
);

/** Programs that run what is typed into them, even if files are named, unless an option makes them exit. */
const CONSOLES: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ...consoles(
    "iex ghci groovysh jshell pry irb utop ocaml ipython ipython3 bpython ptpython psysh rdbg byebug amm octave",
    "-e -c --eval --execute",
  ),
  ...consoles("gdb rust-gdb gdb-multiarch", "-batch --batch -batch-silent --batch-silent"),
  ...consoles("lldb rust-lldb", "-b --batch"),
]);

function consoles(names: string, endsWith: string): [string, ReadonlySet<string>][] {
  const ends = new Set(endsWith.split(" "));
  return names.split(" ").map((name) => [name, ends]);
}

const isInput = ({ text }: Field) => INPUT.has(text);

/** `make -f -`, `deno run -`, `… | runghc`: the code is not in the command, but comes from another program. */
export function runsItsInput(use: ProgramUse, { args, isInPipeline }: Invocation): boolean {
  const { name, verb, options, operands } = use;
  if (runsLinesAsCommands(use)) return true;
  if (options.some(({ kind, value }) => (kind === "config" || kind === "code") && value !== null && isInput(value)))
    return true;
  const ends = CONSOLES.get(name);
  if (ends !== undefined && isInPipeline) return !args.some(({ text }) => ends.has(text));
  if (!RUN_FILES.has(name)) return false;
  const [first] = operands;
  if (first !== undefined) return isInput(first) || (name === "dotnet" && isScriptVerb(first.text) && isInPipeline);
  // `coffee -s`. Any other option, such as `clojure -M:test`, says what runs.
  return (
    isInPipeline && (isScriptVerb(verb) || args.every(({ text }) => INPUT.has(text) || text === "-s" || text === "-i"))
  );
}

/** `awk '{ print | "sh" }'`, `awk '{ system($0) }'`, `sed s/x/y/e`: the lines of a file become commands. */
function runsLinesAsCommands(use: ProgramUse): boolean {
  switch (use.program.names[0]) {
    case "awk":
      return awkSources(use).some((source) => readAwkScript(source).runsText);
    case "sed":
      return sedSources(use).some(({ text }) => readSedScript(text).runsText);
    default:
      return false;
  }
}

const isScriptVerb = (verb: string) => verb === "fsi" || verb === "script";
