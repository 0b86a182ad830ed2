import { setTimeout as delay } from "node:timers/promises";
import { isWaitingForInput } from "../evidence/keyboard-reader.ts";

export interface TypeRequest {
  text: string;
  /** Who was found to read, and so was judged for: nobody else gets a byte. */
  readerPids: number[];
  /** Whether the kernel hands them whole lines. */
  readsLines: boolean;
}

export interface TypeReport {
  typedCharacters: number;
  /** Why the rest was kept back: the readers went away, or stopped reading for too long. */
  stopped: "no" | "reader-gone" | "reader-busy";
}

export interface Keyboard {
  leaderPid: number;
  device: string;
  write(bytes: Buffer): void;
  hasPendingInput(): boolean;
  isOpen(): boolean;
}

/** A program that works on one answer for longer gets the rest in another call. */
const LONGEST_PAUSE_MS = 5_000;
const LOOK_EVERY_MS = 12;
/** Bytes on their way through the kernel do not show yet that they woke somebody. */
const LOOKS_TO_BE_SURE = 2;

/**
 * Types a text piece by piece, each only while the same program waits for it.
 *
 * What is typed ahead would be read by whoever comes next, which may be the
 * shell: `q` ends a pager, and the rest of the line would be a command that
 * nobody judged. A program that waits again has taken all that came before, so
 * no Enter is pressed before that.
 */
export async function typeInput(keyboard: Keyboard, request: TypeRequest): Promise<TypeReport> {
  let typedCharacters = 0;
  for (const piece of piecesOf(request.text, request.readsLines)) {
    const state = await untilWaiting(keyboard, request.readerPids);
    if (state !== "waits") return { typedCharacters, stopped: state };
    keyboard.write(Buffer.from(piece));
    typedCharacters += piece.length;
  }
  return { typedCharacters, stopped: "no" };
}

/** Whole lines for who reads lines; else Enter by itself. */
export function piecesOf(text: string, readsLines: boolean): string[] {
  const pieces = text.match(readsLines ? /[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+$/g : /[^\r\n]+|\r\n|\r|\n/g);
  return pieces ?? [];
}

async function untilWaiting(keyboard: Keyboard, pids: number[]): Promise<"waits" | "reader-gone" | "reader-busy"> {
  let looks = 0;
  for (let waitedMs = 0; waitedMs < LONGEST_PAUSE_MS; waitedMs += LOOK_EVERY_MS) {
    await delay(LOOK_EVERY_MS);
    if (!keyboard.isOpen() || !pids.some(isAlive)) return "reader-gone";
    const isWaiting = !keyboard.hasPendingInput() && isWaitingForInput(pids, keyboard.leaderPid, keyboard.device);
    looks = isWaiting ? looks + 1 : 0;
    if (looks >= LOOKS_TO_BE_SURE) return "waits";
  }
  return "reader-busy";
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM"; // it lives, and is another user's
  }
}
