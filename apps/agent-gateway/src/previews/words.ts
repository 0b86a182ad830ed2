import type { ChangeKind, Hunk, PreviewedChange, PreviewedChanges } from "@belay/core";
import type { PreviewView } from "./previews.ts";

const VERBS: Record<ChangeKind, string> = { deleted: "deletes", changed: "changes", created: "creates" };

/** `deletes 214 files under build/, changes 3`; or its result in words, if it changes no file. */
export function describePreview({ counts, paths, unlisted }: PreviewedChanges): string {
  const parts = (["deleted", "changed", "created"] as const)
    .filter((kind) => counts[kind] > 0)
    .map((kind, at) => {
      const files = at > 0 ? "" : counts[kind] === 1 ? " file" : " files";
      const folder =
        unlisted > 0 ? "" : commonFolder(paths.filter((path) => path.kind === kind && path.type !== "folder"));
      return `${VERBS[kind]} ${counts[kind]}${files}${folder === "" ? "" : ` under ${folder}/`}`;
    });
  if (parts.length > 0) return parts.join(", ");
  const folders = paths.length === 1 ? "1 folder" : `${paths.length} folders`;
  return paths.length > 0 ? `changes ${folders}` : "changes no file";
}

const MOST_NAMED = 20;
const MOST_LINES = 200;

/** A preview for an agent: its result in words, the files, their lines, and what it printed. */
export function describePreviewed(preview: PreviewView, diffs: Record<string, Hunk[]>): string {
  const { summary, exitCode, output, changes, attempts, shellChanges } = preview;
  const exit = exitCode === null ? "not done in time" : `exit ${exitCode}`;
  const files = changes.paths
    .slice(0, MOST_NAMED)
    .map(({ kind, path, type }) => `${kind} ${path}${type === "folder" ? "/" : ""}`);
  const more = changes.paths.length + changes.unlisted - files.length;
  const lines = changes.paths.flatMap(({ id, path }) =>
    diffs[id] ? [`--- ${path}`, ...diffs[id].flatMap((hunk) => hunk.lines)] : [],
  );
  return [
    `Preview, nothing was run for real: it ${summary}; ${exit}.`,
    ...attempts,
    ...(shellChanges.length > 0 ? [`It would also change its shell: ${shellChanges.join(", ")}.`] : []),
    ...files,
    ...(more > 0 ? [`… and ${more} more`] : []),
    ...lines.slice(0, MOST_LINES),
    ...(output.trim() === "" ? [] : ["It printed:", output.trimEnd()]),
  ].join("\n");
}

/** The folder that all of several names are in. */
function commonFolder(paths: readonly PreviewedChange[]): string {
  if (paths.length < 2) return "";
  const folders = paths.map(({ path }) => path.split("/").slice(0, -1));
  const [first = []] = folders;
  const length = first.findIndex((part, at) => folders.some((folder) => folder[at] !== part));
  return first.slice(0, length < 0 ? first.length : length).join("/");
}
