import { randomBytes } from "node:crypto";
import type { Socket } from "node:net";
import { type ProcessStat, readProcFile, readStat } from "@belay/core";

/** The length of a process name in the kernel, without the closing zero. */
const NAME_LENGTH = 15;
const MAX_ANCESTORS = 64;

/** A process that has proved to be the client of a connection. */
export interface ProvenProcess {
  pid: number;
  /** Its kernel session: one login, one terminal window. No process can join another session. */
  session: string;
}

/**
 * Determines which process is connected. Node cannot ask the kernel (SO_PEERCRED), so the
 * process proves it: it gets a random challenge on this connection and sets its process name to it. Only a process
 * itself can change its name, and the challenge of another connection proves nothing here.
 *
 * Without /proc this is not possible, and callers can rely only on the connection.
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
    const found = readStat(pid);
    return found?.name === word ? { pid, session: sessionOf(found) } : null;
  }
}

/** Whether a process was started by one of these, or carries the marker of a Belay terminal. */
export function isInside(pid: number, ownPids: readonly number[]): boolean {
  if (/\0BELAY_TERMINAL=/.test(`\0${readProcFile(pid, "environ") ?? ""}`)) return true;
  let current = readStat(pid);
  for (let step = 0; current && step < MAX_ANCESTORS; step += 1) {
    if (ownPids.includes(current.parentPid)) return true;
    current = readStat(current.parentPid);
  }
  return false;
}

/**
 * A session id stays in use while a process is in it; together with the start time of its leader it is unique.
 * Session 0 began outside this PID namespace, where many may share it: then only the process itself counts.
 */
function sessionOf(found: ProcessStat): string {
  if (found.sessionId === 0) return `process ${found.pid} ${found.startedAt}`;
  return `session ${found.sessionId} ${readStat(found.sessionId)?.startedAt ?? "without leader"}`;
}
