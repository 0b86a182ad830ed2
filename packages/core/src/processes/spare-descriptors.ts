import { closeSync, openSync, readdirSync, readFileSync } from "node:fs";
import { CoreError } from "../errors.ts";

/** Enough to read /proc, one file at a time. */
const SPARES = 4;
/** A terminal needs a handful, and other files must still open after the last allowed terminal has started. */
const KEPT_FREE = 64;

const spares: number[] = [];

/** Reserves a few descriptors, so that processes can still be found and ended when no others are left. */
export function keepSpareDescriptors(): void {
  try {
    while (spares.length < SPARES) spares.push(openSync("/dev/null", "r"));
  } catch {
    // None is left at the moment: the next use tries again.
  }
}

/** Opens a file, with a reserved descriptor if no other is left. Synchronous, so that it is returned at once. */
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

/** Refuses early, while there is room to work: a process without descriptors can neither answer nor end anything. */
export function assertDescriptorsLeft(): void {
  const limit = maxDescriptors();
  const used = limit === null ? null : countDescriptors();
  if (limit === null || used === null || used + KEPT_FREE <= limit) return;
  throw new CoreError(
    "pool-full",
    `${used} of ${limit} files are open, so no more terminals are started. Close some, or raise the limit (ulimit -n, or LimitNOFILE in a systemd unit).`,
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
