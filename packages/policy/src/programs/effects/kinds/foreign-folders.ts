import type { Shell } from "../../../language/grammar/shell.ts";
import { type Field, hasGlob, isKnown } from "../../../language/state/values.ts";
import { baseName, resolvePath } from "../../../language/words/paths.ts";
import { hasOption, type OptionSpec, parseOptions } from "../../options.ts";
import { copies, MOVE_OPTIONS, TRANSFER_OPTIONS } from "../effect-parts.ts";
import { readPath } from "../file-streams.ts";

const RECURSIVE = ["-r", "-R", "-a", "--recursive", "--archive"];

/** Programs that copy folders: how they read their options, and which of these make them do it; null: they always do. */
const FOLDER_COPIES: ReadonlyMap<string, { spec: OptionSpec; recursive: readonly string[] | null }> = new Map([
  ["cp", { spec: MOVE_OPTIONS, recursive: RECURSIVE }],
  ["gcp", { spec: MOVE_OPTIONS, recursive: RECURSIVE }],
  ["mv", { spec: MOVE_OPTIONS, recursive: null }],
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
