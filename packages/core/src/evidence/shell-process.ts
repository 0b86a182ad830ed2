import { execFileSync } from "node:child_process";
import { readlinkSync, statSync } from "node:fs";
import { programPathOf, readStat } from "../processes/proc.ts";
import { shellWaitOf } from "./blocked-on.ts";
import { readModes } from "./termios.ts";

/** What a shell does at this moment, as the kernel has it. */
export type ShellDoing =
  /** It waits for keys and nothing else, as a line editor does. */
  | "edits"
  /** It waits for input: at a prompt, or in a builtin such as `read`. */
  | "reads"
  | "works"
  /** Something that it started has the keyboard. */
  | "has-child"
  /** The kernel does not tell: not Linux, or another user's process. */
  | "unknown";

export interface Folder {
  path: string;
  /** Device and inode: the same folder, whatever its path is by now. */
  id: string;
}

/** What the kernel says of a terminal's shell. Unlike what the shell prints, a program in the terminal cannot forge it. */
export interface ShellProcess {
  doing(): ShellDoing;
  /** What the process is by now: `exec` makes it anything. Null where it cannot be told. */
  program(): string | null;
  /** Whether it edits its line, as at a prompt, or the kernel collects the line, as for `read`; null where it cannot be told. */
  isEditing(): Promise<boolean | null>;
  /** Null where it cannot be told. */
  folder(): Folder | null;
  /** What lies at a path as this shell sees it, which behind a wall may be another folder. Null where there is none. */
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
    return null; // It is not there, or not ours to see.
  }
}

function folderOfProcess(pid: number): Folder | null {
  try {
    if (process.platform !== "linux") return folderAt(askLsof(pid));
    const link = `/proc/${pid}/cwd`;
    // By the link itself, not by its text: a folder that was moved or removed is still this one.
    const { dev, ino } = statSync(link, { bigint: true });
    return { path: readlinkSync(link), id: `${dev}:${ino}` };
  } catch {
    return null; // It ended, or is another user's.
  }
}

/** Where there is no /proc (macOS; written for, not tried there). */
function askLsof(pid: number): string {
  const text = execFileSync("lsof", ["-a", "-d", "cwd", "-p", String(pid), "-Fn"], { encoding: "utf8", timeout: 2000 });
  return /^n(.*)$/m.exec(text)?.[1] ?? "";
}
