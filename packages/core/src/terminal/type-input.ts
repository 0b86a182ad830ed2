import { setTimeout as delay } from "node:timers/promises";
import { type ReadingState, readersAmong, readingStateOf } from "../evidence/keyboard-reader.ts";
import type { TypeReport, TypeRequest } from "../pool/requests.ts";
import { holdParents } from "../processes/hold-parents.ts";
import { readStat } from "../processes/proc.ts";

export interface Typing {
  report: TypeReport;
  /** Resolves when no part of it can be left for another reader. */
  settled: Promise<void>;
}

export interface Keyboard {
  leaderPid: number;
  device: string;
  write(bytes: Buffer): void;
  hasPendingInput(): boolean;
  /** Discards unread input. */
  discardUnread(): void;
  isOpen(): boolean;
  /** How many prompts the terminal's shell has shown. */
  promptsSeen(): number;
}

/** A program that works on one answer for longer gets the rest in another call. */
const LONGEST_PAUSE_MS = 5_000;
const LOOK_EVERY_MS = 3;
/** Right after a write the kernel may not show yet that a reader was woken. */
const LOOKS_TO_BE_SURE = 2;

/**
 * Types a text piece by piece, each only while the same program waits for it in the same mode.
 *
 * Input that the program leaves would be read by the next one, which may be the shell: `q` ends a pager,
 * and the rest of the line would be an unjudged command.
 *
 * 1. Line by line for programs that read lines, key by key for those that read keys. A program that waits again has
 *    read everything before.
 * 2. Meanwhile the shell and all other ancestors of the program are stopped. `head -c1` reads one byte
 *    of a line and ends; the rest is discarded before the shell is resumed.
 * 3. The shell's own `read` cannot be stopped. It reads whole lines, and the prompt ends the typing.
 */
export async function typeInput(keyboard: Keyboard, request: TypeRequest): Promise<Typing> {
  const { readerPids } = request;
  const letGo = await holdParents(readerPids, keyboard.leaderPid);
  let report: TypeReport = { typedCharacters: 0, stopped: "reader-gone" };
  try {
    report = await typePieces(keyboard, request);
  } catch (error) {
    letGo();
    throw error;
  }
  // The shell's own `read` has read the line, or the prompt after it has.
  const settled = readerPids.includes(keyboard.leaderPid) ? Promise.resolve() : settle(keyboard, readerPids);
  return { report, settled: settled.finally(letGo) };
}

async function typePieces(keyboard: Keyboard, { text, readerPids, readsLines }: TypeRequest): Promise<TypeReport> {
  const promptsBefore = keyboard.promptsSeen();
  let typedCharacters = 0;
  let before: ReadingState | null = null;
  for (const piece of piecesOf(text, readsLines)) {
    const readers = await untilWaiting(keyboard, readerPids, promptsBefore);
    if (readers === "reader-gone" || readers === "reader-busy") return { typedCharacters, stopped: readers };
    // Reading the modes starts a process: for keys only if one may change the meaning of the next ones.
    if (before === null || readsLines || isControl(piece)) {
      const state = await readingStateOf(readerPids, keyboard);
      before ??= state;
      if (!isSame(state, before)) return { typedCharacters, stopped: "reader-gone" };
    }
    if (readers !== before?.readers || keyboard.promptsSeen() !== promptsBefore) {
      return { typedCharacters, stopped: "reader-gone" };
    }
    keyboard.write(Buffer.from(piece));
    typedCharacters += piece.length;
  }
  return { typedCharacters, stopped: "no" };
}

function isSame(state: ReadingState | null, before: ReadingState | null): boolean {
  return (
    state !== null &&
    state.readers === before?.readers &&
    state.modes.canonical === before.modes.canonical &&
    state.modes.echo === before.modes.echo
  );
}

/**
 * Whole lines for programs that read lines, single keys for those that read keys: a key may end the program, or change
 * the meaning of the next one. A control character may end a line early (Ctrl-D), so it ends a piece.
 */
export function piecesOf(text: string, readsLines: boolean): string[] {
  return text.match(readsLines ? LINES : KEYS) ?? [];
}

/** Up to a control character other than a tab; the rest without one comes last. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this is about.
const LINES = /[^\x00-\x08\x0a-\x1f\x7f]*(?:\r\n|[\x00-\x08\x0a-\x1f\x7f])|[^\x00-\x08\x0a-\x1f\x7f]+$/g;
/** An escape sequence is one key: if it were split, its ESC would be a separate key. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences are what this is about.
const KEYS = /\x1b\[[0-?]*[ -/]*[@-~]|\x1bO.|\r\n|[\s\S]/gu;

function isControl(piece: string): boolean {
  return piece < " " || piece === "\x7f";
}

/** A fingerprint of the waiting readers. */
async function untilWaiting(
  keyboard: Keyboard,
  pids: number[],
  promptsBefore: number,
): Promise<string | "reader-gone" | "reader-busy"> {
  const deadline = performance.now() + LONGEST_PAUSE_MS;
  let looks = 0;
  while (performance.now() < deadline) {
    await delay(LOOK_EVERY_MS);
    if (!keyboard.isOpen() || keyboard.promptsSeen() !== promptsBefore || !pids.some(isAlive)) return "reader-gone";
    if (pids.some(isStopped)) return "reader-gone";
    const readers = keyboard.hasPendingInput() ? null : readersAmong(pids, keyboard);
    looks = readers === null ? 0 : looks + 1;
    if (readers !== null && looks >= LOOKS_TO_BE_SURE) return readers;
  }
  return "reader-busy";
}

/** Until the program has read what it wants; the rest is discarded. */
async function settle(keyboard: Keyboard, pids: number[]): Promise<void> {
  const deadline = performance.now() + LONGEST_PAUSE_MS;
  let looks = 0;
  while (performance.now() < deadline && keyboard.isOpen() && pids.some(isAlive) && !pids.some(isStopped)) {
    await delay(LOOK_EVERY_MS);
    looks = !keyboard.hasPendingInput() && readersAmong(pids, keyboard) !== null ? looks + 1 : 0;
    if (looks >= LOOKS_TO_BE_SURE) return;
  }
  keyboard.discardUnread();
}

function isAlive(pid: number): boolean {
  // Its parent is stopped, so it may be a zombie.
  const state = readStat(pid)?.state;
  return state !== undefined && state !== "Z" && state !== "X";
}

/** By Ctrl-Z, for example. The kernel still shows it in its read, but the resumed shell takes the foreground back. */
function isStopped(pid: number): boolean {
  return /^[Tt]$/.test(readStat(pid)?.state ?? "");
}
