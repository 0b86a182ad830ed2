import { realpath, stat } from "node:fs/promises";
import { resolve } from "node:path";
import type { TerminalInfo } from "@belay/protocol";

/**
 * The folder of a terminal's shell. The host asks the kernel for it once the shell is up: the shell's own variable can
 * be set (`PWD=…`), forged by a background program, or lead through a symlink that is changed later.
 * `within` is relative to it.
 */
export async function kernelFolder({ cwd }: TerminalInfo, within = ""): Promise<string> {
  return within === "" ? cwd : realFolder(resolve(cwd, within));
}

/** The identity of a folder as a terminal's shell sees it. Behind a wall, a path may mean a different folder than here. */
export async function folderIn(terminal: TerminalInfo, path: string): Promise<string | null> {
  if (path === terminal.cwd && terminal.folderId !== undefined) return terminal.folderId;
  return terminal.wall ? null : folderIdentity(path);
}

/** The real path, or the path itself if it does not exist. */
export function realFolder(path: string): Promise<string> {
  return realpath(path).catch(() => path);
}

/** Device and inode, which identify the folder even if its path changes. Null if it does not exist. */
export async function folderIdentity(path: string): Promise<string | null> {
  const found = await stat(path, { bigint: true }).catch(() => null);
  return found && `${found.dev}:${found.ino}`;
}
