import { isTemporary } from "../../../dangers/paths/danger-paths.ts";
import { isInside, resolvePath } from "../../../language/words/paths.ts";

/** Calls that delete or empty what they name, in any language, with a literal path. */
const DELETES =
  /\b(?:os\.(?:Remove(?:All)?|Truncate|remove|unlink|rmdir|truncate)|(?:std::)?fs::remove_(?:dir(?:_all)?|file)|shutil\.(?:rmtree|move)|rmtree|remove_tree|(?:fs|fsp|fse|promises)\.(?:rm|unlink|rmdir|remove|emptyDir|truncate)(?:Sync)?|(?:rm|unlink|rmdir|remove|emptyDir|truncate)Sync|rimraf|Deno\.remove(?:Sync)?|FileUtils\.(?:rm\w*|remove\w*|mv)|(?:File|Dir)\.(?:delete|unlink|rmdir)|File\.rm(?:_rf)?!?|Directory\.Delete|File\.Delete|Files\.delete\w*|FileUtils\.delete\w*|deleteRecursively|deleteTree|removeDir|removeFile|removeDirectoryRecursive|removeItem|Sys\.remove|filesystem::remove(?:_all)?|unlink|remove|rm)\s*\(\s*(?:atPath\s*:\s*)?["'`]([^"'`\n]{1,300})["'`]/g;

/** Folders that a project is made of. */
const SOURCES = /^(?:\.\/)?(?:\.?|\*|src|lib|app|apps|packages|cmd|internal|pkg|\.git|\.github|docs|public)\/?$/;

/** Whether code of the project deletes a path outside of it, or the folders that the project is made of. */
export function deletesElsewhere(code: string, cwd: string | null, home: string, workspace: string): boolean {
  return [...code.matchAll(DELETES)].some(([, path = ""]) => {
    if (/[${}%]/.test(path)) return false;
    if (SOURCES.test(path)) return true;
    const full = resolvePath(path.startsWith("~") ? home + path.slice(1) : path, cwd);
    return full !== null && !isTemporary(full) && !isInside(full, workspace) && (cwd === null || !isInside(full, cwd));
  });
}
