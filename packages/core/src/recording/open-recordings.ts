import { mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { TerminalId } from "@belay/protocol";
import { recoverRecording } from "./recover.ts";

/**
 * Which recordings are being written: an empty file for each. After a crash only
 * these have to be looked at, however many older ones there are.
 */
const FOLDER = "open";

export async function markOpen(dir: string, terminalId: TerminalId): Promise<void> {
  await mkdir(join(dir, FOLDER), { recursive: true, mode: 0o700 });
  await writeFile(join(dir, FOLDER, terminalId), "", { mode: 0o600 });
}

export async function unmarkOpen(dir: string, terminalId: TerminalId): Promise<void> {
  await rm(join(dir, FOLDER, terminalId), { force: true });
}

/** Gives every recording whose writer died its end. No recorder may be writing here. Returns those that cannot be read. */
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
