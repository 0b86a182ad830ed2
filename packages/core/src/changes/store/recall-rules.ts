import { lstatSync, type Stats } from "node:fs";
import { GIT_EXCLUDES, IGNORE_FILE, type IgnoreRules, readRules } from "../scan/ignore-rules.ts";
import type { KeptSnapshots } from "./kept-snapshots.ts";
import type { Repository } from "./repository.ts";

/**
 * Loads the ignore rules of the last snapshot, so that the first scan after a restart can tell new files from files
 * that were ignored. Returns false if those rules are not known.
 */
export async function recallRules(
  rules: IgnoreRules,
  { root, kept, repository }: { root: Buffer; kept: KeptSnapshots; repository: Repository },
): Promise<boolean> {
  const last = kept.snapshots.at(-1);
  if (!last) return true;
  const gitExcludes = recallGitExcludes(root, last.atMs);
  if (kept.haveRulesChanged || gitExcludes === null) return false;
  const { state } = kept;
  for (const folder of state.folders()) {
    const entry = state.children(folder)?.get(IGNORE_FILE);
    let own = "";
    if (entry?.type === "file") {
      const bytes = entry.id === null ? null : await repository.readBlob(entry.id);
      if (!bytes) return false;
      own = bytes.toString("latin1");
    }
    rules.recall(folder, folder === "" ? [gitExcludes, own] : [own]);
  }
  return true;
}

/** Git's own exclude file is not in the history, so its times show whether it has changed since. Null if it has. */
function recallGitExcludes(root: Buffer, atMs: number): string | null {
  const git = look(root, ".git");
  if (!git || git.birthtimeMs > atMs) return ""; // there was no repository yet
  const file = look(root, GIT_EXCLUDES) ?? look(root, ".git/info"); // the folder's times say when the file was removed
  return file && file.ctimeMs > atMs ? null : readRules(below(root, GIT_EXCLUDES));
}

function look(root: Buffer, path: string): Stats | undefined {
  return lstatSync(below(root, path), { throwIfNoEntry: false });
}

function below(root: Buffer, path: string): Buffer {
  return Buffer.concat([root, Buffer.from(`/${path}`)]);
}
