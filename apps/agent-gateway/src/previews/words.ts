import type { ChangeKind, PreviewedChange, PreviewedChanges } from "@belay/core";

const VERBS: Record<ChangeKind, string> = { deleted: "deletes", changed: "changes", created: "creates" };

/** `deletes 214 files under build/, changes 3`; what it comes to where it changes no file. */
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

/** The folder that all of several names are in. */
function commonFolder(paths: readonly PreviewedChange[]): string {
  if (paths.length < 2) return "";
  const folders = paths.map(({ path }) => path.split("/").slice(0, -1));
  const [first = []] = folders;
  const length = first.findIndex((part, at) => folders.some((folder) => folder[at] !== part));
  return first.slice(0, length < 0 ? first.length : length).join("/");
}
