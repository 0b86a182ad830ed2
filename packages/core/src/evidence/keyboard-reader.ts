import type { KeyboardReader } from "../pool/requests.ts";
import { programPathOf, readProcFile, readStat } from "../processes/proc.ts";
import { shellWaitOf, type TerminalUse, terminalUseOf } from "./blocked-on.ts";
import { foregroundPids } from "./kernel.ts";
import { codeOf } from "./reader-code.ts";
import { readModes, type TerminalModes } from "./termios.ts";

export interface ReaderQuestion {
  leaderPid: number;
  device: string | null;
  /** The terminal was started with a shell; `isAtPrompt` comes from its markers. */
  shell: { isAtPrompt: boolean; promptIsEdited: boolean } | null;
}

export async function findReader({ leaderPid, device, shell }: ReaderQuestion): Promise<KeyboardReader> {
  if (shell?.isAtPrompt) return { kind: "prompt" };
  const leader = device === null ? null : readStat(leaderPid);
  if (device === null || !leader || leader.foregroundGroupId < 0) return { kind: "unknown" };
  const isLeader = leader.foregroundGroupId === leader.groupId;
  const uses = foregroundPids(leader).map((pid) => ({ pid, use: terminalUseOf(pid, device) }));
  const readers = uses.filter(({ use }) => waits(use));
  if (readers.length === 0) return { kind: uses.some(({ use }) => use === "unknown") ? "unknown" : "none" };

  const modes = await readModes(device);
  if (!modes) return { kind: "unknown" };
  const isShell = isLeader && shell !== null;
  // A shell with a line editor is at a prompt; without one, the prompt cannot be told from `read`.
  if (isShell && (!modes.canonical || !shell.promptIsEdited || !readsWholeLines(leaderPid, device))) {
    return { kind: "prompt" };
  }
  return {
    kind: "program",
    processes: readers.map(({ pid }) => ({
      pid,
      argv: argvOf(pid),
      path: programPathOf(pid),
      code: isShell ? "shell-builtin" : codeOf(pid, leaderPid),
    })),
    isShellBuiltin: isShell,
    hidesInput: modes.canonical && !modes.echo,
    readsLines: modes.canonical,
  };
}

/** A fingerprint of how a terminal is read: by which processes and programs, and in which mode. */
export interface ReadingState {
  readers: string;
  modes: TerminalModes;
}

/** Null while none of these processes waits for input. */
export async function readingStateOf(
  pids: readonly number[],
  { leaderPid, device }: { leaderPid: number; device: string },
): Promise<ReadingState | null> {
  if (pids.includes(leaderPid) && !readsWholeLines(leaderPid, device)) return null;
  const modes = await readModes(device);
  const readers = readersAmong(pids, { leaderPid, device });
  return readers !== null && modes ? { readers, modes } : null;
}

/** A fingerprint of those processes that wait for input; null if none does. Cheaper than the whole state. */
export function readersAmong(
  pids: readonly number[],
  { leaderPid, device }: { leaderPid: number; device: string },
): string | null {
  if (!isWaitingForInput(pids, leaderPid, device)) return null;
  return pids.map((pid) => `${pid} ${programPathOf(pid)}`).join("\n");
}

/** Whether these wait for input, which means that they have read everything typed before. */
function isWaitingForInput(pids: readonly number[], leaderPid: number, device: string): boolean {
  const leader = readStat(leaderPid);
  if (!leader) return false;
  const foreground = new Set(foregroundPids(leader));
  return pids.some((pid) => foreground.has(pid) && waits(terminalUseOf(pid, device)));
}

/** `read` reads whole lines; `read -d x` may stop within one, and the rest of the line would run as a command. */
function readsWholeLines(shellPid: number, device: string): boolean {
  const wait = shellWaitOf(shellPid, device);
  return wait.kind === "reads" && wait.maxBytes > 1;
}

function waits(use: TerminalUse): boolean {
  return use === "reads" || use === "polls";
}

function argvOf(pid: number): string[] {
  const text = Buffer.from(readProcFile(pid, "cmdline") ?? "", "latin1").toString("utf8");
  const argv = text.split("\0").slice(0, -1);
  return argv.length > 0 ? argv : [readStat(pid)?.name ?? ""];
}
