import { closeSync, openSync, readdirSync, readFileSync } from "node:fs";
import { CoreError } from "../errors.ts";

/** Enough to look around in /proc, one file at a time. */
const SPARES = 4;
/** A terminal takes a handful, and what else is opened must not fail for the last one that was let in. */
const KEPT_FREE = 64;

const spares: number[] = [];

/** Holds a few descriptors back, so that processes can still be found and ended when there is no other left. */
export function keepSpareDescriptors(): void {
  try {
    while (spares.length < SPARES) spares.push(openSync("/dev/null", "r"));
  } catch {
    // There is none left at the moment: the next use tries again.
  }
}

/** Opens a file, with a descriptor that was held back where there is no other. Synchronous, so that it comes back at once. */
export function withSpareDescriptors<Value>(read: () => Value): Value {
  try {
    return read();
  } catch (error) {
    if (!isOutOfDescriptors(error)) throw error;
  }
  for (const spare of spares.splice(0)) closeSync(spare);
  try {
    return read();
  } finally {
    keepSpareDescriptors();
  }
}

export function isOutOfDescriptors(error: unknown): boolean {
  const code = error instanceof Error && "code" in error ? error.code : null;
  return code === "EMFILE" || code === "ENFILE";
}

/** Refuses while there is still room to work: a process without descriptors can neither answer nor end anything. */
export function assertDescriptorsLeft(): void {
  const limit = maxDescriptors();
  const used = limit === null ? null : countDescriptors();
  if (limit === null || used === null || used + KEPT_FREE <= limit) return;
  throw new CoreError(
    "pool-full",
    `${used} of ${limit} files are open, so no terminal more is started. Close some, or raise the limit (ulimit -n, or LimitNOFILE in a systemd unit).`,
  );
}

function countDescriptors(): number | null {
  try {
    return withSpareDescriptors(() => readdirSync("/proc/self/fd").length);
  } catch {
    return null; // No /proc: macOS.
  }
}

function maxDescriptors(): number | null {
  try {
    const limits = withSpareDescriptors(() => readFileSync("/proc/self/limits", "utf8"));
    const [, soft] = /^Max open files\s+(\d+)/m.exec(limits) ?? [];
    return soft === undefined ? null : Number(soft);
  } catch {
    return null; // No /proc: macOS.
  }
}
