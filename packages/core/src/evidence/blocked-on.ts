import { closeSync, openSync, readdirSync, readlinkSync, readSync, statSync } from "node:fs";
import { readProcFile } from "../processes/proc.ts";

/** What a process is doing with a terminal. */
export type TerminalUse =
  /** It is blocked in a read of the terminal and continues only when input arrives. */
  | "reads"
  /** It waits for several things, the terminal among them. */
  | "polls"
  | "neither"
  /** Not readable, because it belongs to another user, as with `sudo`. */
  | "unknown";

type WaitingCall = "read" | "poll" | "select" | "epoll";

/** The system calls in which a program waits for input, by number; the numbers differ between architectures. */
const WAITING_CALLS: Partial<Record<NodeJS.Architecture, Record<number, WaitingCall>>> = {
  x64: {
    0: "read",
    19: "read",
    7: "poll",
    271: "poll",
    23: "select",
    270: "select",
    232: "epoll",
    281: "epoll",
    441: "epoll",
  },
  arm64: { 63: "read", 65: "read", 73: "poll", 72: "select", 22: "epoll", 441: "epoll" },
};

/** A program with more threads than this is not a prompt. */
const MAX_THREADS = 64;
const MAX_DESCRIPTORS = 1024;
const EPOLL_IN = 1;

export function terminalUseOf(pid: number, device: string): TerminalUse {
  const uses = listThreads(pid).map((thread) => threadUse(pid, thread, device));
  return (["reads", "polls", "unknown"] as const).find((use) => uses.includes(use)) ?? "neither";
}

/** How a shell's only thread waits for keys. */
export type ShellWait =
  /** Without a time limit, as line editors do. */
  | { kind: "polls-for-ever" }
  | { kind: "polls-for-a-time" }
  /** It reads at most this many bytes. The kernel delivers a line at a time, so one byte is only part of a line. */
  | { kind: "reads"; maxBytes: number }
  | { kind: "neither" }
  | { kind: "unknown" };

export function shellWaitOf(pid: number, device: string): ShellWait {
  const waiting = waitingCallOf(pid, String(pid));
  const use = useIn(pid, waiting, device);
  if (!waiting || (use !== "reads" && use !== "polls")) return { kind: use === "unknown" ? "unknown" : "neither" };
  if (waiting.call === "read") return { kind: "reads", maxBytes: waiting.args[2] ?? 1 };
  return { kind: hasTimeout(waiting) ? "polls-for-a-time" : "polls-for-ever" };
}

interface WaitingInCall {
  number: number;
  call: WaitingCall;
  args: number[];
}

/** Null if it does something else; undefined if unknown. */
function waitingCallOf(pid: number, thread: string): WaitingInCall | null | undefined {
  const text = readProcFile(pid, `task/${thread}/syscall`);
  if (text === null) return undefined;
  const [number, ...args] = text.split(" ").map(Number);
  const call = WAITING_CALLS[process.arch]?.[number ?? Number.NaN];
  return number === undefined || call === undefined ? null : { number, call, args };
}

/** `ppoll`, `select`, `pselect` and `epoll_pwait2` take a pointer to the timeout, the others milliseconds. */
function hasTimeout({ number, call, args }: WaitingInCall): boolean {
  const milliseconds = (value = 0) => value < 2 ** 31;
  switch (call) {
    case "poll":
      return number === 7 ? milliseconds(args[2]) : args[2] !== 0;
    case "select":
      return args[4] !== 0;
    case "epoll":
      return number === 441 ? args[3] !== 0 : milliseconds(args[3]);
    case "read":
      return false;
  }
}

function threadUse(pid: number, thread: string, device: string): TerminalUse {
  return useIn(pid, waitingCallOf(pid, thread), device);
}

function useIn(pid: number, waiting: ReturnType<typeof waitingCallOf>, device: string): TerminalUse {
  if (waiting === undefined) return "unknown";
  if (waiting === null) return "neither";
  const [first = 0, second = 0] = waiting.args;
  const isTerminal = (descriptor: number) => {
    const link = linkOf(pid, descriptor);
    // Password prompts open the terminal as /dev/tty.
    return (
      link === "/dev/tty" || (link?.startsWith("/dev/") === true && isSameFile(`/proc/${pid}/fd/${descriptor}`, device))
    );
  };
  switch (waiting.call) {
    case "read":
      return isTerminal(first) ? "reads" : "neither";
    case "poll":
      return pollDescriptors(pid, first, second).some(isTerminal) ? "polls" : "neither";
    case "select":
      return selectDescriptors(pid, first, second).some(isTerminal) ? "polls" : "neither";
    case "epoll":
      return epollDescriptors(pid, first).some(isTerminal) ? "polls" : "neither";
  }
}

/** `struct pollfd`: descriptor, events and revents in 8 bytes. */
function pollDescriptors(pid: number, address: number, count: number): number[] {
  const memory = readMemory(pid, address, Math.min(count, MAX_DESCRIPTORS) * 8);
  return Array.from({ length: memory.byteLength / 8 }, (_, at) => memory.readInt32LE(at * 8));
}

/** `fd_set`: one bit for each descriptor below the count. */
function selectDescriptors(pid: number, count: number, address: number): number[] {
  if (address === 0) return [];
  const size = Math.min(count, MAX_DESCRIPTORS);
  const memory = readMemory(pid, address, Math.ceil(size / 8));
  return Array.from({ length: size }, (_, at) => at).filter((at) => ((memory[at >> 3] ?? 0) >> (at & 7)) & 1);
}

function epollDescriptors(pid: number, epoll: number): number[] {
  const watched = readProcFile(pid, `fdinfo/${epoll}`) ?? "";
  return [...watched.matchAll(/^tfd:\s*(\d+)\s+events:\s*([0-9a-f]+)/gm)]
    .filter(([, , events]) => Number.parseInt(events ?? "0", 16) & EPOLL_IN)
    .map(([, descriptor]) => Number(descriptor));
}

function readMemory(pid: number, address: number, length: number): Buffer {
  const memory = Buffer.alloc(length);
  try {
    const file = openSync(`/proc/${pid}/mem`, "r");
    try {
      return memory.subarray(0, readSync(file, memory, 0, length, address));
    } finally {
      closeSync(file);
    }
  } catch {
    return memory.subarray(0, 0); // Gone, or not readable.
  }
}

function listThreads(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`).slice(0, MAX_THREADS);
  } catch {
    return []; // It has ended.
  }
}

function linkOf(pid: number, descriptor: number): string | null {
  try {
    return readlinkSync(`/proc/${pid}/fd/${descriptor}`);
  } catch {
    return null; // It was closed.
  }
}

/**
 * Compares inodes, because behind a wall the same path can be another terminal, and one terminal can have several
 * paths: in a sandbox, zsh opens its own as /dev/console.
 */
function isSameFile(one: string, other: string): boolean {
  try {
    const [a, b] = [statSync(one), statSync(other)];
    return a.ino === b.ino && a.dev === b.dev;
  } catch {
    return false; // It was closed, or has ended.
  }
}
