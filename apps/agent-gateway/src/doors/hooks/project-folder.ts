import { access } from "node:fs/promises";
import { dirname, join } from "node:path";

/** The project of a folder: the nearest parent with a repository, or the folder itself. */
export async function projectFolder(cwd: string): Promise<string> {
  for (let folder = cwd; ; folder = dirname(folder)) {
    if (await exists(join(folder, ".git"))) return folder;
    if (dirname(folder) === folder) return cwd;
  }
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
