import type { JudgeContext } from "../../context.ts";
import { isInside } from "../../language/words/paths.ts";
import { classifyPath, isTemporary } from "./danger-paths.ts";

/**
 * The project of a path: the workspace, a folder that the policy names as a project, or the shell's current
 * folder if that is a project of its own. Null for any other path.
 */
export function projectOf(path: string, cwd: string | null, context: JudgeContext): string | null {
  if (isInside(path, context.workspace)) return context.workspace;
  const named = context.projectFolders.find((folder) => isInside(path, folder) && path !== folder);
  if (named !== undefined) return named;
  return cwd !== null && isInside(path, cwd) && isForeignProject(cwd, context) ? cwd : null;
}

/** Code may be run and tested in the shell's current folder, unless it is a system, home or scratch folder. */
export function isProjectPath(path: string, cwd: string | null, context: JudgeContext): boolean {
  if (projectOf(path, cwd, context) !== null || context.projectFolders.includes(path)) return true;
  const isProject = cwd !== null && classifyPath(cwd, context.home).kind === "elsewhere" && !isTemporary(`${cwd}/x`);
  return isProject && isInside(path, cwd);
}

/** `/home/other/code/app`: a project in another home, but not one of its hidden folders. */
function isForeignProject(cwd: string, { home }: JudgeContext): boolean {
  return /^\/(?:home|Users)\/[^/]+(?:\/[^./][^/]*)+$/.test(cwd) && !isInside(cwd, home);
}
