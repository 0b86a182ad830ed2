import type { JudgeContext } from "../context.ts";
import type { Invocation } from "../language/commands/invocation.ts";
import { HOLE, has, TAINT } from "../language/state/values.ts";
import { isInside } from "../language/words/paths.ts";
import type { Finding } from "../match-invocation.ts";
import { isHidden, isUnchangeable, type WallOpenings } from "./openings.ts";

/** Whether everything that the command deletes goes to the trash, or cannot be deleted from behind the wall. */
export function deletesNothingForGood(invocation: Invocation, openings: WallOpenings, context: JudgeContext): boolean {
  if (invocation.program === "rmdir") return true; // It removes only empty folders.
  const deleted = invocation.effects.filter(({ type }) => type === "delete");
  // Only the shell's own `rm` function uses the trash. Through a wrapper, or by its path, `rm` is another program.
  const isTrashed = openings.hasTrash && invocation.path === "rm" && invocation.wrappers.length === 0;
  const isHarmless = (path: string) =>
    isUnchangeable(path, openings, context) || (isTrashed && !isWholeWorkspace(path, context));
  return (
    deleted.length > 0 &&
    deleted.every(({ paths, path }) => !path.text.includes(HOLE) && paths.length > 0 && paths.every(isHarmless))
  );
}

/** Deleting the whole workspace asks even though the trash would keep it. */
function isWholeWorkspace(path: string, { workspace }: JudgeContext): boolean {
  return isInside(workspace, path) || /^[\uE001\uE002.]+$/.test(path.slice(workspace.length + 1));
}

/** Arguments with which git discards only files of the working tree. Committed work stays in the reflog. */
const DISCARDS: Readonly<Record<string, RegExp>> = {
  reset: /^(--hard|-q|--quiet|[\w./~^@{}-]+)$/,
  restore: /^(--|-[qWS]+|--(staged|worktree|quiet|source=.*)|[^-].*)$/,
  checkout: /^(--|-[qf]+|--(force|quiet)|[^-].*)$/,
  switch: /^(-[qf]+|--(force|discard-changes|quiet)|[^-].*)$/,
  // Undo does not restore ignored files or other repositories, so `-x` and a second `-f` are not accepted.
  clean: /^(--|-(?!.*f.*f)[dfqn]+|--(force|quiet)|[^-].*)$/,
  rm: /^(--|-[rfqn]+|--(cached|force|quiet)|[^-].*)$/,
};

/** Whether this is git in a repository of the workspace. */
function isGitHere({ program, cwd, env, wrappers }: Invocation, { workspace }: JudgeContext): boolean {
  if (program !== "git" || cwd === null || !isInside(cwd, workspace)) return false;
  return wrappers.length === 0 && ![...env.keys()].some((name) => name.startsWith("GIT_"));
}

/** Verbs that remove or move references. The commits stay, and git prints their hashes. */
const NAMES_COMMITS: readonly RegExp[] = [
  /^branch( (-[dDfr]+|--(delete|force|remotes)|[^- ]\S*))+$/,
  /^tag( (-[dfam]+|--(delete|force|annotate)|[^- ]\S*))+$/,
  /^stash drop( [^- ]\S*)?$/,
  /^remote prune( [^- ]\S*)+$/,
];

/** Whether git only removes or moves references. It keeps unreferenced commits for at least two weeks. */
export function keepsCommits(invocation: Invocation, context: JudgeContext): boolean {
  const line = invocation.args.map(({ text }) => text.replaceAll(/\s/g, "_")).join(" ");
  return isGitHere(invocation, context) && !line.includes(HOLE) && NAMES_COMMITS.some((pattern) => pattern.test(line));
}

/** Whether git only discards files that an undo can restore. */
export function discardsWhatIsKept(invocation: Invocation, { hasUndo }: WallOpenings, context: JudgeContext): boolean {
  const { args } = invocation;
  if (!hasUndo || !isGitHere(invocation, context)) return false;
  const words = args.map(({ text }) => text);
  const [verb = "", ...rest] = words;
  const allowed = Object.hasOwn(DISCARDS, verb) ? DISCARDS[verb] : undefined;
  if (allowed === undefined || words.some((word) => word.includes(HOLE))) return false;
  const isForcedTwice = rest.filter((word) => /^(-\w*f\w*|--force)$/.test(word)).length > 1;
  return !isForcedTwice && rest.every((word) => allowed.test(word) && !/^\/|(^|\/)\.\.(\/|$)/.test(word));
}

/** Whether the command reads secret files, by their path or through a pipe. */
export function readsSecretFiles({ effects, args, stdin }: Invocation): boolean {
  return (
    effects.some(({ type, isSecret }) => type === "read" && isSecret) ||
    [stdin, ...args].some(({ taint }) => has(taint, TAINT.secret))
  );
}

/** Whether the wall hides every secret file that the command would read. */
export function readsHiddenFiles(
  { layer }: Finding,
  invocation: Invocation,
  openings: WallOpenings,
  context: JudgeContext,
): boolean {
  const { effects, args, stdin } = invocation;
  const read = effects.filter(({ type, isSecret }) => type === "read" && isSecret);
  const isFromElsewhere = [stdin, ...args].some(({ taint }) => has(taint, TAINT.secretVariable | TAINT.secret));
  if (layer !== "approval" || read.length === 0 || isFromElsewhere || /^(env|printenv)$/.test(invocation.program))
    return false;
  return read.every(({ paths }) => paths.length > 0 && paths.every((path) => isHidden(path, openings, context)));
}
