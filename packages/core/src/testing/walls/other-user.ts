import { spawnSync } from "node:child_process";

/**
 * Whether `through` can run Belay's sources as its user. Only root can become another user, and that user cannot
 * read a project that lies in root's own home folder.
 */
export function canRunAs(through: string[]): boolean {
  const read = `require("node:fs").accessSync(${JSON.stringify(import.meta.filename)})`;
  const [program = "", ...args] = [...through, process.execPath, "-e", read];
  return spawnSync(program, args).status === 0;
}
