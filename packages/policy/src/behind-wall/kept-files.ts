import type { JudgeContext } from "../context.ts";
import type { Invocation } from "../language/commands/invocation.ts";
import { HOLE, has, TAINT } from "../language/state/values.ts";
import { isInside } from "../language/words/paths.ts";
import type { Finding } from "../match-invocation.ts";
import { isHidden, isUnchangeable, type WallOpenings } from "./openings.ts";

/** Whether everything that it deletes is kept in the trash, or is out of its reach. */
export function deletesNothingForGood(invocation: Invocation, openings: WallOpenings, context: JudgeContext): boolean {
  if (invocation.program === "rmdir") return true; // Only empty folders.
  const deleted = invocation.effects.filter(({ type }) => type === "delete");
  // The shell's own function. Through a wrapper or by its path it may be another program.
  const isTrashed = openings.hasTrash && invocation.path === "rm" && invocation.wrappers.length === 0;
  const isHarmless = (path: string) =>
    isUnchangeable(path, openings, context) || (isTrashed && !isWholeWorkspace(path, context));
  return (
    deleted.length > 0 &&
    deleted.every(({ paths, path }) => !path.text.includes(HOLE) && paths.length > 0 && paths.every(isHarmless))
  );
}

/** Also in the trash that would be more than a person expects to miss. */
function isWholeWorkspace(path: string, { workspace }: JudgeContext): boolean {
  return isInside(workspace, path) || /^[\uE001\uE002.]+$/.test(path.slice(workspace.length + 1));
}

/** Words of git that discard files of the working tree and nothing else; what was committed stays in the reflog. */
const DISCARDS: Readonly<Record<string, RegExp>> = {
  reset: /^(--hard|-q|--quiet|[\w./~^@{}-]+)$/,
  restore: /^(--|-[qWS]+|--(staged|worktree|quiet|source=.*)|[^-].*)$/,
  checkout: /^(--|-[qf]+|--(force|quiet)|[^-].*)$/,
  switch: /^(-[qf]+|--(force|discard-changes|quiet)|[^-].*)$/,
  // Not ignored files, and not other repositories: there is no undo for those.
  clean: /^(--|-(?!.*f.*f)[dfqn]+|--(force|quiet)|[^-].*)$/,
  rm: /^(--|-[rfqn]+|--(cached|force|quiet)|[^-].*)$/,
};

/** Whether it is git, in a repository of the workspace. */
function isGitHere({ program, cwd, env, wrappers }: Invocation, { workspace }: JudgeContext): boolean {
  if (program !== "git" || cwd === null || !isInside(cwd, workspace)) return false;
  return wrappers.length === 0 && ![...env.keys()].some((name) => name.startsWith("GIT_"));
}

/** Names of commits, which git can lose without losing the commits; they are in the output, too. */
const NAMES_COMMITS: readonly RegExp[] = [
  /^branch( (-[dDfr]+|--(delete|force|remotes)|[^- ]\S*))+$/,
  /^tag( (-[dfam]+|--(delete|force|annotate)|[^- ]\S*))+$/,
  /^stash drop( [^- ]\S*)?$/,
  /^remote prune( [^- ]\S*)+$/,
];

/** Whether git removes or moves names of commits. What they name stays for two weeks at least. */
export function keepsCommits(invocation: Invocation, context: JudgeContext): boolean {
  const line = invocation.args.map(({ text }) => text.replaceAll(/\s/g, "_")).join(" ");
  return isGitHere(invocation, context) && !line.includes(HOLE) && NAMES_COMMITS.some((pattern) => pattern.test(line));
}

/** Whether git discards only files that an undo restores. */
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

/** Whether secrets of files come into it, by their path or through a pipe. */
export function readsSecretFiles({ effects, args, stdin }: Invocation): boolean {
  return (
    effects.some(({ type, isSecret }) => type === "read" && isSecret) ||
    [stdin, ...args].some(({ taint }) => has(taint, TAINT.secret))
  );
}

/** Whether the secrets that it would read are files which the wall hides. */
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
