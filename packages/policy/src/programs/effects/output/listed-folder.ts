import { isProjectPath } from "../../../dangers/paths/project-paths.ts";
import type { Shell } from "../../../language/grammar/shell.ts";
import { resolvePath } from "../../../language/words/paths.ts";

/**
 * The folder that the names of a list count as being in. Of several, one outside the project: in
 * `find src /etc -type f | xargs sed -i s/a/b/` that is the one that matters.
 */
export function listedFolder({ context, state: { cwd } }: Shell, roots: readonly string[]): string | null {
  const folders = roots.filter((root) => root !== "").map((root) => resolvePath(root, cwd));
  const outside = folders.find((folder) => folder === null || !isProjectPath(folder, cwd, context));
  return outside !== undefined ? outside : (folders[0] ?? resolvePath(".", cwd));
}
