import { readProcFile, readStat } from "../processes/proc.ts";
import { type TerminalUse, terminalUseOf } from "./blocked-on.ts";
import { foregroundPids } from "./kernel.ts";
import { readModes } from "./termios.ts";

/** Who gets what is typed into a terminal at this moment. */
export type KeyboardReader =
  /** The terminal's own shell, at its line editor. */
  | { kind: "prompt" }
  | {
      kind: "program";
      /** Those that wait for input now, and the argument lists that they were started with. */
      processes: { pid: number; argv: string[] }[];
      /** A `read` of the terminal's own shell, in the middle of a command. */
      isShellBuiltin: boolean;
      /** A password prompt: what is typed is not shown. */
      hidesInput: boolean;
      /** The kernel hands over whole lines; otherwise every key. */
      readsLines: boolean;
    }
  /** Something runs and reads nothing: what is typed now waits for whoever reads next. */
  | { kind: "nobody" }
  /** Nobody can tell here: not Linux, or another user's program. */
  | { kind: "unknown" };

export interface ReaderQuestion {
  leaderPid: number;
  device: string | null;
  /** The terminal began with a shell; `isAtPrompt` is what its markers say. */
  shell: { isAtPrompt: boolean; promptIsEdited: boolean } | null;
}

export async function findReader({ leaderPid, device, shell }: ReaderQuestion): Promise<KeyboardReader> {
  if (shell?.isAtPrompt) return { kind: "prompt" };
  const leader = device === null ? null : readStat(leaderPid);
  if (device === null || !leader || leader.foregroundGroupId < 0) return { kind: "unknown" };
  const isLeader = leader.foregroundGroupId === leader.groupId;
  const uses = foregroundPids(leader).map((pid) => ({ pid, use: terminalUseOf(pid, device) }));
  const readers = uses.filter(({ use }) => waits(use));
  if (readers.length === 0) return { kind: uses.some(({ use }) => use === "unknown") ? "unknown" : "nobody" };

  const modes = await readModes(device);
  if (!modes) return { kind: "unknown" };
  const isShell = isLeader && shell !== null;
  // A shell that edits its own lines does so at a prompt; one that does not cannot be told from its `read`.
  if (isShell && (!modes.canonical || !shell.promptIsEdited)) return { kind: "prompt" };
  return {
    kind: "program",
    processes: readers.map(({ pid }) => ({ pid, argv: argvOf(pid) })),
    isShellBuiltin: isShell,
    hidesInput: modes.canonical && !modes.echo,
    readsLines: modes.canonical,
  };
}

/** Whether these still wait for input: then they have taken all that was typed before. */
export function isWaitingForInput(pids: readonly number[], leaderPid: number, device: string): boolean {
  const leader = readStat(leaderPid);
  if (!leader) return false;
  const foreground = new Set(foregroundPids(leader));
  return pids.some((pid) => foreground.has(pid) && waits(terminalUseOf(pid, device)));
}

function waits(use: TerminalUse): boolean {
  return use === "reads" || use === "polls";
}

function argvOf(pid: number): string[] {
  const text = Buffer.from(readProcFile(pid, "cmdline") ?? "", "latin1").toString("utf8");
  const argv = text.split("\0").slice(0, -1);
  return argv.length > 0 ? argv : [readStat(pid)?.name ?? ""];
}
