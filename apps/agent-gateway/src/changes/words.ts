import type { ChangeCounts } from "@belay/core";

/** A command's changes, as its agent and people read them. */
export interface ChangeSummary {
  counts: ChangeCounts;
  /** How many other commands ran at the same time and may have made the changes. */
  sharedWith: number;
}

/** `changed 3 files, +12 −4, deleted 1`; empty if nothing changed. */
export function describeCounts({ created, changed, deleted, addedLines, removedLines }: ChangeCounts): string {
  const files = (count: number, verb: string, isFirst: boolean) =>
    count === 0 ? [] : [`${verb} ${count}${isFirst ? (count === 1 ? " file" : " files") : ""}`];
  const parts = [
    ...files(changed, "changed", true),
    ...files(created, "created", changed === 0),
    ...files(deleted, "deleted", changed + created === 0),
  ];
  const lines = [...(addedLines > 0 ? [`+${addedLines}`] : []), ...(removedLines > 0 ? [`−${removedLines}`] : [])].join(
    " ",
  );
  return [...parts.slice(0, 1), ...(lines === "" || parts.length === 0 ? [] : [lines]), ...parts.slice(1)].join(", ");
}

export function describeSummary({ counts, sharedWith }: ChangeSummary): string {
  const words = describeCounts(counts);
  if (words === "" || sharedWith === 0) return words;
  const others = sharedWith === 1 ? "another command" : `${sharedWith} other commands`;
  return `${words} (together with ${others} that ran at the same time)`;
}

export function describeUndone(count: number): string {
  if (count === 0) return "nothing was left to undo";
  return count === 1 ? "1 file or folder" : `${count} files and folders`;
}

export function isNothing({ created, changed, deleted }: ChangeCounts): boolean {
  return created + changed + deleted === 0;
}
