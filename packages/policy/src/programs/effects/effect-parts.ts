import type { FileEffect } from "../../language/commands/invocation.ts";
import type { Shell } from "../../language/grammar/shell.ts";
import { type Field, field, hasGlob, isKnown, type Stream, stream } from "../../language/state/values.ts";
import { baseName, resolvePath, withoutTrailingSlashes } from "../../language/words/paths.ts";
import { hasOption, type OptionSpec, optionValues, parseOptions } from "../options.ts";
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

const COPY: OptionSpec = { short: "tS", long: ["target-directory", "suffix"] };
const RECURSIVE = ["-r", "-R", "-a", "--recursive", "--archive"];

/** Programs that copy folders: how they read their options, and which of these make them do it; null: they always do. */
const FOLDER_COPIES: ReadonlyMap<string, { spec: OptionSpec; recursive: readonly string[] | null }> = new Map([
  ["cp", { spec: COPY, recursive: RECURSIVE }],
  ["gcp", { spec: COPY, recursive: RECURSIVE }],
  ["mv", { spec: COPY, recursive: null }],
  ["rename", { spec: {}, recursive: null }],
  ["rsync", { spec: TRANSFER_OPTIONS, recursive: RECURSIVE }],
]);

/**
 * `mv d e`, `cp -r d e`: files that the agent wrote in the folder are now in the target too. Returns the folders that
 * hold something from outside the project now: it does not become the project's own by being copied.
 */
export function copyFolders(shell: Shell, program: string, args: readonly Field[]): readonly ForeignFolder[] {
  const known = FOLDER_COPIES.get(program);
  if (known === undefined) return [];
  const { files, cwd } = shell.state;
  const takesFolders = known.recursive === null || hasOption(parseOptions(args, known.spec), ...known.recursive);
  const { sources, writes } = copies(args, shell, known.spec);
  const targets = writes.flatMap(({ path }) => resolvePath(path.text, cwd) ?? []);
  const brought: ForeignFolder[] = [];
  for (const source of sources) {
    const from = resolvePath(source.text, cwd);
    const content = readPath(shell, source);
    const isForeign = !content.isProjects && !content.isWritten;
    for (const to of targets) {
      if (from === to) continue;
      if (from !== null) files.copyFolder(from, to);
      if (!isForeign || !isKnown(to)) continue;
      if (!holdsOtherFiles(shell, to)) {
        if (takesFolders && !DATA_FILES.test(to)) brought.push({ folder: `${to}/`, taint: content.taint });
      } else if (bringsUnknownCode(source, takesFolders)) shell.note("brings-unknown", source.text);
    }
  }
  return brought;
}

export interface ForeignFolder {
  folder: string;
  taint: number;
}

const DATA_FILES =
  /\.(?:json|jsonl|csv|tsv|txt|md|log|xml|ya?ml|toml|png|jpe?g|gif|svg|webp|pdf|html?|css|parquet|db|sqlite3?|npy|npz|wav|mp[34]|zip|gz|tgz|patch|diff|out)$/i;

/** `cp -r /x/. .`, `cp /x/*.py .`: it is unknown which files of the target it brings or replaces. */
function bringsUnknownCode({ text }: Field, takesFolders: boolean): boolean {
  if (takesFolders && /(?:^|\/)\.?$/.test(text)) return true;
  return hasGlob(baseName(text)) && !DATA_FILES.test(text);
}

/** Folders with files that are unrelated to what is put there. */
export function holdsOtherFiles({ state, context }: Shell, folder: string | null): boolean {
  return folder === null || folder === state.cwd || folder === context.workspace || folder === "/tmp";
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
