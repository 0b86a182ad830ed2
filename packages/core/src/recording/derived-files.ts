import { rm } from "node:fs/promises";
import type { TerminalId } from "@belay/protocol";
import { recordingPaths } from "./format.ts";

/** Deletes files that were made from a recording and reveal its content. They are deleted before the recording is. */
export async function deleteDerived(dir: string, terminalId: TerminalId): Promise<void> {
  const { grams, frames } = recordingPaths(dir, terminalId);
  for (const path of [grams, frames]) {
    await rm(freshPath(path), { force: true });
    await rm(path, { force: true });
  }
}

/** Where a derived file is written before it is renamed into place. */
export function freshPath(path: string): string {
  return `${path}.new`;
}
