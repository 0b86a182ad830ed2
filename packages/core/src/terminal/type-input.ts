import { setTimeout as delay } from "node:timers/promises";
import { type ReadingState, readersAmong, readingStateOf } from "../evidence/keyboard-reader.ts";
import type { TypeReport, TypeRequest } from "../pool/requests.ts";
import { holdParents } from "../processes/hold-parents.ts";
import { readStat } from "../processes/proc.ts";

export interface Typing {
  report: TypeReport;
  /** Settles when nothing of it can be left for another reader. */
  settled: Promise<void>;
}

export interface Keyboard {
  leaderPid: number;
  device: string;
  write(bytes: Buffer): void;
  hasPendingInput(): boolean;
  /** Discards what has not been read. */
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
 * Types a text piece by piece, each only while the same program waits for it in the same way.
 *
 * What the program leaves would be read by the next one, which may be the shell: `q` ends a pager,
 * and the rest of the line would be an unjudged command.
 *
 * 1. Line by line for who reads lines, key by key for who reads keys. A program that waits again has
 *    taken all that came before.
 * 2. Meanwhile the shell and everything else above the program is stopped. `head -c1` takes one byte
 *    of a line and ends; what it left is discarded before the shell goes on.
 * 3. The shell's own `read` cannot be stopped. It takes whole lines, and the prompt ends the typing.
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
  // The shell's own `read` took the line, or the prompt that followed has.
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
    // Asking for the modes takes another process: for keys only where one may change what the next ones mean.
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
 * Whole lines for who reads lines, single keys for who reads keys: a key may end the program, or change what the next one
 * means. A control character may end a line early (Ctrl-D), so it ends a piece.
 */
export function piecesOf(text: string, readsLines: boolean): string[] {
  return text.match(readsLines ? LINES : KEYS) ?? [];
}

/** Up to a control character, but for a tab; the rest without one comes last. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this is about.
const LINES = /[^\x00-\x08\x0a-\x1f\x7f]*(?:\r\n|[\x00-\x08\x0a-\x1f\x7f])|[^\x00-\x08\x0a-\x1f\x7f]+$/g;
/** An escape sequence is one key: cut in two, its ESC would be a key of its own. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences are what this is about.
const KEYS = /\x1b\[[0-?]*[ -/]*[@-~]|\x1bO.|\r\n|[\s\S]/gu;

function isControl(piece: string): boolean {
  return piece < " " || piece === "\x7f";
}

/** Who waits, as a text to compare. */
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

/** Until the program has taken all that it wants of what was typed; what it has not is taken back. */
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
  // Its parent is stopped, so it may be dead and not collected.
  const state = readStat(pid)?.state;
  return state !== undefined && state !== "Z" && state !== "X";
}

/** By Ctrl-Z, say. The kernel still shows it in its read, but the keyboard is the shell's again as soon as that goes on. */
function isStopped(pid: number): boolean {
  return /^[Tt]$/.test(readStat(pid)?.state ?? "");
}
