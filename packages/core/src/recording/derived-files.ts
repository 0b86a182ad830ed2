import { rm } from "node:fs/promises";
import type { TerminalId } from "@belay/protocol";
import { recordingPaths } from "./format.ts";

/** What was made from a recording and says something of its content: it goes before the recording does. */
export async function deleteDerived(dir: string, terminalId: TerminalId): Promise<void> {
  const { grams, frames } = recordingPaths(dir, terminalId);
  for (const path of [grams, frames]) {
    await rm(freshPath(path), { force: true });
    await rm(path, { force: true });
  }
}

/** Where a derived file is written before it takes its place. */
export function freshPath(path: string): string {
  return `${path}.new`;
}
