import { execFile } from "node:child_process";
import { rm } from "node:fs/promises";
import { promisify } from "node:util";
import { findProgram } from "./shell/shells.ts";
import { SYSTEM_PATH } from "./walls/system-path.ts";

/**
 * Removes a folder that an agent's programs made and may still be changing.
 *
 * The system's programs enter each folder before they touch anything in it. Node's function works with whole paths: it
 * would follow a link that replaces a folder meanwhile, and it fails on a tree that is deeper than a path can be long.
 */
export async function removeChangingTree(path: string): Promise<void> {
  const remove = () => run("rm", ["-rf", "--", path]);
  // Some tools make their folders read-only (Go's module cache does); only then are they made writable first.
  await remove().catch(async () => {
    await run("chmod", ["-R", "u+rwx", "--", path]).catch(() => {}); // it may still be removable
    await remove();
  });
}

/** Removes a folder in which no program works any more, however deep it is. */
export async function removeTree(path: string): Promise<void> {
  // Faster than starting a program for each terminal that closes.
  await rm(path, { recursive: true, force: true }).catch(() => removeChangingTree(path));
}

async function run(name: string, args: string[]): Promise<void> {
  const program = findProgram(name, SYSTEM_PATH);
  if (!program) throw new Error(`"${name}" is not installed.`);
  await promisify(execFile)(program, args);
}
