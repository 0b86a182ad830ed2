import type { FileEffect } from "../../language/commands/invocation.ts";
import type { Shell } from "../../language/grammar/shell.ts";
import { type Field, field, type Stream, stream } from "../../language/state/values.ts";
import { baseName, withoutTrailingSlashes } from "../../language/words/paths.ts";
import { type OptionSpec, optionValues, parseOptions } from "../options.ts";
import { readPath } from "./file-streams.ts";

/** Finds a program's effects on files in its arguments. */
export type FindEffects = (shell: Shell, args: readonly Field[], stdin: Stream) => readonly FileEffect[];

export const read = (path: Field): FileEffect => ({ type: "read", path, content: null });
export const write = (path: Field, content: Stream | null = null): FileEffect => ({ type: "write", path, content });
export const append = (path: Field, content: Stream | null = null): FileEffect => ({ type: "append", path, content });
export const remove = (path: Field): FileEffect => ({ type: "delete", path, content: null });

export const operandsOf = (args: readonly Field[], spec: OptionSpec = {}) => parseOptions(args, spec).operands;

/** Options of `rsync` and `scp` with a value. */
export const TRANSFER_OPTIONS: OptionSpec = {
  short: "PiFlocSJeXBTMf",
  long: ["rsh", "exclude", "include", "rsync-path", "files-from", "password-file"],
};

/** Options of `cp` and `mv` with a value. */
export const MOVE_OPTIONS: OptionSpec = { short: "tS", long: ["target-directory", "suffix"] };

/** Like `cp`: the last operand, or `-t`, is the target. */
export function copies(
  args: readonly Field[],
  shell: Shell,
  spec: OptionSpec,
): { sources: readonly Field[]; writes: FileEffect[] } {
  const parsed = parseOptions(args, spec);
  const into = optionValues(parsed, "-t", "--target-directory")[0];
  const sources = into ? parsed.operands : parsed.operands.slice(0, -1);
  const target = into ?? parsed.operands.at(-1);
  if (target === undefined || (sources.length === 0 && !into)) return { sources: parsed.operands, writes: [] };
  const writes = sources.flatMap((source) => {
    const content = readPath(shell, source);
    const inside = field(`${withoutTrailingSlashes(target.text)}/${baseName(source.text)}`, target.taint);
    return [write(target, content), write(inside, content)];
  });
  return { sources, writes };
}

/** The value of one option is an output file. */
export function writesOption(names: readonly string[], spec: OptionSpec = {}): FindEffects {
  const letters = names.filter((name) => /^-\w$/.test(name)).map((name) => name.slice(1));
  const long = names.map((name) => name.replace(/^--?/, ""));
  const complete = { ...spec, short: letters.join("") + (spec.short ?? ""), long: [...long, ...(spec.long ?? [])] };
  return (_shell, args) => {
    const parsed = parseOptions(args, complete);
    return [...optionValues(parsed, ...names).map((path) => write(path, stream(null))), ...parsed.operands.map(read)];
  };
}
