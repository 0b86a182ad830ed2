import { spawnSync } from "node:child_process";
import type { FolderHandle } from "../scan/folder-handle.ts";

/** Makes a named pipe in a folder, with `mkfifo`, since Node has no call for it. Only the owner may use it. */
export function makePipe(folder: FolderHandle, name: string): void {
  // The new process enters the open folder, so no link on the path can lead it elsewhere.
  const { error, status, stderr } = spawnSync("mkfifo", ["-m", "600", "--", name], {
    cwd: folder.self().toString(),
    encoding: "utf8",
    stdio: ["ignore", "ignore", "pipe"],
  });
  if (error) throw error;
  if (status !== 0) throw new Error(`A named pipe could not be made: ${stderr.trim()}`);
}
