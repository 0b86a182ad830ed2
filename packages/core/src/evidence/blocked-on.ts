import { closeSync, openSync, readdirSync, readlinkSync, readSync } from "node:fs";
import { readProcFile } from "../processes/proc.ts";

/** What a process does with a terminal at this moment. */
export type TerminalUse =
  /** It sleeps in a read of the terminal: it can go on only if somebody types. */
  | "reads"
  /** The terminal is among the things it waits for. */
  | "polls"
  | "neither"
  /** Not ours to look into: another user's, as `sudo` is. */
  | "unknown";

type WaitingCall = "read" | "poll" | "select" | "epoll";

/** The system calls in which a program waits for input, by number; these differ between processors. */
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

/** Programs with more threads than this are no prompts. */
const MAX_THREADS = 64;
const MAX_DESCRIPTORS = 1024;
const EPOLL_IN = 1;

export function terminalUseOf(pid: number, device: string): TerminalUse {
  const uses = listThreads(pid).map((thread) => threadUse(pid, thread, device));
  return (["reads", "polls", "unknown"] as const).find((use) => uses.includes(use)) ?? "neither";
}

function threadUse(pid: number, thread: string, device: string): TerminalUse {
  const text = readProcFile(pid, `task/${thread}/syscall`);
  if (text === null) return "unknown";
  const [number, ...args] = text.split(" ");
  const call = WAITING_CALLS[process.arch]?.[Number(number)];
  const [first = 0, second = 0] = args.map((arg) => Number(arg));
  const isTerminal = (descriptor: number) => {
    const link = linkOf(pid, descriptor);
    // Password prompts open the terminal by its general name.
    return link === device || link === "/dev/tty";
  };
  switch (call) {
    case "read":
      return isTerminal(first) ? "reads" : "neither";
    case "poll":
      return pollDescriptors(pid, first, second).some(isTerminal) ? "polls" : "neither";
    case "select":
      return selectDescriptors(pid, first, second).some(isTerminal) ? "polls" : "neither";
    case "epoll":
      return epollDescriptors(pid, first).some(isTerminal) ? "polls" : "neither";
    case undefined:
      return "neither";
  }
}

/** `struct pollfd`: descriptor, events and revents in 8 bytes. */
function pollDescriptors(pid: number, address: number, count: number): number[] {
  const memory = readMemory(pid, address, Math.min(count, MAX_DESCRIPTORS) * 8);
  return Array.from({ length: memory.byteLength / 8 }, (_, at) => memory.readInt32LE(at * 8));
}

/** `fd_set`: a bit for each descriptor below the count. */
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
    return memory.subarray(0, 0); // Gone, or not ours to read.
  }
}

function listThreads(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`).slice(0, MAX_THREADS);
  } catch {
    return []; // It ended meanwhile.
  }
}

function linkOf(pid: number, descriptor: number): string | null {
  try {
    return readlinkSync(`/proc/${pid}/fd/${descriptor}`);
  } catch {
    return null; // Closed meanwhile.
  }
}
