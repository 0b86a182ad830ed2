import { mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { TerminalId } from "@belay/protocol";
import { recoverRecording } from "./recover.ts";

/**
 * Marks the recordings that are being written, with an empty file for each. After a crash only
 * these have to be checked, not all older ones.
 */
const FOLDER = "open";

export async function markOpen(dir: string, terminalId: TerminalId): Promise<void> {
  await mkdir(join(dir, FOLDER), { recursive: true, mode: 0o700 });
  await writeFile(join(dir, FOLDER, terminalId), "", { mode: 0o600 });
}

export async function unmarkOpen(dir: string, terminalId: TerminalId): Promise<void> {
  await rm(join(dir, FOLDER, terminalId), { force: true });
}

/** Closes every recording whose writer died. No recorder may be writing here. Returns the unreadable ones. */
export async function recoverOpenRecordings(dir: string): Promise<TerminalId[]> {
  const names = await readdir(join(dir, FOLDER)).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw error;
  });
  const unreadable: TerminalId[] = [];
  for (const id of names.flatMap((name) => TerminalId.safeParse(name).data ?? [])) {
    if ((await recoverRecording(dir, id)) === "unreadable") unreadable.push(id);
    await unmarkOpen(dir, id);
  }
  return unreadable;
}
