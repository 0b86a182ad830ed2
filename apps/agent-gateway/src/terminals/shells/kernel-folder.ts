import { realpath, stat } from "node:fs/promises";
import { resolve } from "node:path";
import type { TerminalInfo } from "@belay/protocol";

/**
 * The folder that a terminal's shell is in. The host asks the kernel for it, once the shell is up: what the shell says of
 * itself can be set (`PWD=…`), forged by a program in the background, or lead through a link that is turned later.
 * `within` is relative to it.
 */
export async function kernelFolder({ cwd }: TerminalInfo, within = ""): Promise<string> {
  return within === "" ? cwd : realFolder(resolve(cwd, within));
}

/** The identity of a folder as a terminal's shell sees it. Behind a wall a path may lead elsewhere than it does here. */
export async function folderIn(terminal: TerminalInfo, path: string): Promise<string | null> {
  if (path === terminal.cwd && terminal.folderId !== undefined) return terminal.folderId;
  return terminal.wall ? null : folderIdentity(path);
}

/** Without links; as it stands where it is not there. */
export function realFolder(path: string): Promise<string> {
  return realpath(path).catch(() => path);
}

/** Device and inode: the folder itself, whatever its name leads to later. Null where there is none. */
export async function folderIdentity(path: string): Promise<string | null> {
  const found = await stat(path, { bigint: true }).catch(() => null);
  return found && `${found.dev}:${found.ino}`;
}
