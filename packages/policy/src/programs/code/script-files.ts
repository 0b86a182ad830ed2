import type { Shell } from "../../language/grammar/shell.ts";
import { type Field, field, has, TAINTS_NEVER_RUN } from "../../language/state/values.ts";
import { noteWrittenCode } from "../effects/file-streams.ts";
import { type OptionSpec, optionValues, parseOptions } from "../options.ts";

interface ScriptOptions extends OptionSpec {
  /** The options that name a file with a script. */
  readonly names: readonly string[];
}

const SED: ScriptOptions = { names: ["-f", "--file"], short: "efl", long: ["expression", "file", "line-length"] };
const AWK: ScriptOptions = {
  names: ["-f", "--file", "-E", "--exec", "-i", "--include"],
  short: "fFvEielWo",
  long: ["file", "field-separator", "assign", "exec", "include", "source", "load"],
};
const MAKE: ScriptOptions = {
  names: ["-f", "--file", "--makefile"],
  short: "fCIjloWE",
  long: ["file", "makefile", "directory", "include-dir", "jobs", "eval"],
};
const VIM: ScriptOptions = { names: ["-S", "-s", "-u", "-U"], short: "SsucUTiwW", long: ["cmd"] };

/** Programs that accept a script in a file, besides the interpreters of general-purpose languages. */
const SCRIPT_OPTIONS: ReadonlyMap<string, ScriptOptions> = new Map([
  ...["sed", "gsed"].map((name) => [name, SED] as const),
  ...["awk", "gawk", "mawk", "nawk", "original-awk"].map((name) => [name, AWK] as const),
  ...["make", "gmake"].map((name) => [name, MAKE] as const),
  ...["vi", "vim", "nvim", "ex", "view", "rvim"].map((name) => [name, VIM] as const),
  ["cmake", { names: ["-P"], short: "PCDGSB" }],
  ["gdb", { names: ["-x", "--command", "-ix"], short: "x", long: ["command"] }],
  ["lldb", { names: ["-s", "--source"], short: "soO", long: ["source", "one-line"] }],
  ["psql", { names: ["-f", "--file"], short: "fcdhpUvo", long: ["file", "command", "dbname", "host", "port"] }],
  ["sqlite3", { names: ["-init"], singleDashLong: true, long: ["init", "cmd", "separator", "nullvalue"] }],
  ["dc", { names: ["-f", "--file"], short: "fe", long: ["file", "expression"] }],
  ["expect", { names: ["-f"], short: "fc" }],
]);

/**
 * Scripts in files that this terminal wrote, judged as if they were in the command: `sed -f edit.sed` runs `1e cmd`
 * from the file. Files of the project are trusted.
 */
export function writtenScripts(shell: Shell, program: string, args: readonly Field[]): Field[] {
  const spec = SCRIPT_OPTIONS.get(program);
  if (spec === undefined || shell.state.files.isEmpty) return [];
  return optionValues(parseOptions(args, spec), ...spec.names).flatMap((path) => {
    const content = shell.readFile(path.text);
    if (has(content.taint, TAINTS_NEVER_RUN)) shell.note("tainted-code", path.text, content.taint);
    noteWrittenCode(shell, content, path.text);
    return content.text === null ? [] : [field(content.text, content.taint)];
  });
}
