import { execFileSync } from "node:child_process";
import { readlinkSync, statSync } from "node:fs";
import { programPathOf, readStat } from "../processes/proc.ts";
import type { ShellKind } from "../shell/hooks.ts";
import { shellKindOf } from "../shell/shells.ts";
import { shellWaitOf } from "./blocked-on.ts";
import { readModes } from "./termios.ts";

/** What a shell is doing, according to the kernel. */
export type ShellDoing =
  /** It waits only for keys, as a line editor does. */
  | "edits"
  /** It waits for input: at a prompt, or in a builtin such as `read`. */
  | "reads"
  | "works"
  /** A program that it started is in the foreground. */
  | "has-child"
  /** Unknown: not Linux, or another user's process. */
  | "unknown";

export interface Folder {
  path: string;
  /** Device and inode, which identify the folder even if its path changes. */
  id: string;
}

/** What the kernel says about a terminal's shell. Unlike output, a program in the terminal cannot forge it. */
export interface ShellProcess {
  doing(): ShellDoing;
  /** What the process is now: `exec` can make it any program. Null if unknown. */
  program(): string | null;
  /** The kind of shell by the name under which it was started: bash started as `sh` counts as sh. Null if unknown. */
  kind(): ShellKind | null;
  /** Whether it edits its own line, as at a prompt, or the kernel collects it, as for `read`; null if unknown. */
  isEditing(): Promise<boolean | null>;
  /** Null if unknown. */
  folder(): Folder | null;
  /** The folder at a path as this shell sees it; behind a wall it may be a different one. Null if there is none. */
  folderAt(path: string): Folder | null;
}

export function shellProcess(
  { pid, device }: { pid: number; device: string | null },
  { isWalled }: { isWalled: boolean },
): ShellProcess {
  return {
    folderAt: (path) => {
      const found = folderAt(isWalled ? `/proc/${pid}/root${path}` : path);
      return found && { ...found, path };
    },
    doing: () => {
      const shell = device === null ? null : readStat(pid);
      if (device === null || !shell || shell.foregroundGroupId < 0) return "unknown";
      if (shell.foregroundGroupId !== shell.groupId) return "has-child";
      switch (shellWaitOf(pid, device).kind) {
        case "polls-for-ever":
          return "edits";
        case "reads":
        case "polls-for-a-time":
          return "reads";
        case "neither":
          return "works";
        case "unknown":
          return "unknown";
      }
    },
    program: () => (device === null ? null : programPathOf(pid)),
    kind: () => {
      const name = device === null ? null : (readStat(pid)?.name ?? null);
      return name === null ? null : shellKindOf(name);
    },
    isEditing: async () => {
      const modes = device === null ? null : await readModes(device);
      return modes && !modes.canonical;
    },
    folder: () => (device === null ? null : folderOfProcess(pid)),
  };
}

export function folderAt(path: string): Folder | null {
  try {
    const { dev, ino } = statSync(path, { bigint: true });
    return { path, id: `${dev}:${ino}` };
  } catch {
    return null; // It does not exist, or is not accessible.
  }
}

function folderOfProcess(pid: number): Folder | null {
  try {
    if (process.platform !== "linux") return folderAt(askLsof(pid));
    const link = `/proc/${pid}/cwd`;
    // Through the link itself rather than its text, so that a moved or removed folder is still identified.
    const { dev, ino } = statSync(link, { bigint: true });
    return { path: readlinkSync(link), id: `${dev}:${ino}` };
  } catch {
    return null; // It has ended, or belongs to another user.
  }
}

/** For systems without /proc (macOS; untested). */
function askLsof(pid: number): string {
  const text = execFileSync("lsof", ["-a", "-d", "cwd", "-p", String(pid), "-Fn"], { encoding: "utf8", timeout: 2000 });
  return /^n(.*)$/m.exec(text)?.[1] ?? "";
}
