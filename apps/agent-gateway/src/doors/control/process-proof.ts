import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import type { Socket } from "node:net";

/** The header in which a client says which process it is. */
export const PROCESS_HEADER = "x-belay-process";

/** What the kernel keeps of a process's name, the closing zero left out. */
const NAME_LENGTH = 15;
const MAX_ANCESTORS = 64;

/** A process that has shown to be the one at the other end of a connection. */
export interface ProvenProcess {
  pid: number;
  /** The kernel session that it belongs to: one login, one terminal window. No process can join another's. */
  session: string;
}

/**
 * Finds out which process is at the other end of a connection. Node cannot ask the kernel (SO_PEERCRED), so the
 * process proves it: it is given a random word on this very connection and takes it for its name. Only a process
 * itself can change its name, and a word that was given to another connection proves nothing here.
 *
 * Where there is no /proc nobody can prove anything, and callers have to be content with the connection.
 */
export class ProcessProof {
  readonly #words = new WeakMap<Socket, string>();

  challenge(socket: Socket): string {
    const word = randomBytes(12).toString("base64url").slice(0, NAME_LENGTH);
    this.#words.set(socket, word);
    return word;
  }

  verify(socket: Socket, claimedPid: string | string[] | undefined): ProvenProcess | null {
    const word = this.#words.get(socket);
    if (word === undefined || typeof claimedPid !== "string" || !/^[1-9]\d{0,9}$/.test(claimedPid)) return null;
    const pid = Number(claimedPid);
    const found = readProcess(pid);
    return found?.name === word ? { pid, session: sessionOf(found) } : null;
  }
}

/** Whether a process was started by one of these, or carries the mark of a Belay terminal. */
export function isInside(pid: number, ownPids: readonly number[]): boolean {
  if (/\0BELAY_TERMINAL=/.test(`\0${readProc(pid, "environ") ?? ""}`)) return true;
  let current = readProcess(pid);
  for (let step = 0; current && step < MAX_ANCESTORS; step += 1) {
    if (ownPids.includes(current.parentPid)) return true;
    current = readProcess(current.parentPid);
  }
  return false;
}

interface FoundProcess {
  pid: number;
  name: string;
  parentPid: number;
  sessionId: number;
  startedAt: string;
}

function readProcess(pid: number): FoundProcess | null {
  const text = readProc(pid, "stat");
  if (text === null) return null;
  // The name is in brackets and may hold anything, brackets and spaces included.
  const nameEnd = text.lastIndexOf(")");
  const fields = text.slice(nameEnd + 2).split(" ");
  return {
    pid,
    name: text.slice(text.indexOf("(") + 1, nameEnd),
    parentPid: Number(fields[1]),
    sessionId: Number(fields[3]),
    startedAt: fields[19] ?? "",
  };
}

/**
 * The number of a session stays taken while a process is in it; with the start of its leader it is unique for good.
 * Session 0 began outside this PID namespace, where many may share it: then it is the process alone that counts.
 */
function sessionOf(found: FoundProcess): string {
  if (found.sessionId === 0) return `process ${found.pid} ${found.startedAt}`;
  return `session ${found.sessionId} ${readProcess(found.sessionId)?.startedAt ?? "without leader"}`;
}

function readProc(pid: number, file: string): string | null {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "latin1");
  } catch {
    return null; // gone, not ours to read, or no /proc at all
  }
}
