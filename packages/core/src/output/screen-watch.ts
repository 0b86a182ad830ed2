import { findSequence } from "./find-sequence.ts";

const ESC = 0x1b;
const PRIVATE_MODE = Buffer.from("\x1b[?");
const OPERATING_SYSTEM_COMMAND = Buffer.from("\x1b]");
const MAX_TITLE_BYTES = 512;
/** Enough for the start of any recognised sequence. */
const MAX_CARRIED_BYTES = MAX_TITLE_BYTES + 8;
const ALTERNATE_SCREEN_MODES = new Set(["47", "1047", "1049"]);

/**
 * Detects from the output whether a full-screen program is active, and the terminal's
 * title. It recognises only two kinds of sequence, by their first bytes, because it
 * handles every byte.
 */
export class ScreenWatch {
  #isFullscreen = false;
  #title = "";
  #carried: Buffer | null = null;

  get isFullscreen(): boolean {
    return this.#isFullscreen;
  }

  get title(): string {
    return this.#title;
  }

  /** Returns true when the title changed. */
  push(chunk: Buffer): boolean {
    const titleBefore = this.#title;
    const bytes = this.#carried ? Buffer.concat([this.#carried, chunk]) : chunk;
    this.#carried = null;
    for (const at of findSequence(bytes, PRIVATE_MODE)) this.#mode(bytes, at);
    for (const at of findSequence(bytes, OPERATING_SYSTEM_COMMAND)) this.#command(bytes, at);
    this.#carryLoneEnd(bytes);
    return this.#title !== titleBefore;
  }

  #mode(bytes: Buffer, at: number): void {
    const match = /^\[\?([\d;]{1,40})([hl])?/.exec(bytes.toString("latin1", at + 1, at + 48));
    if (!match) return;
    if (match[2] === undefined) {
      if (at + 1 + match[0].length === bytes.byteLength) this.#carry(bytes, at);
    } else if (match[1]?.split(";").some((mode) => ALTERNATE_SCREEN_MODES.has(mode))) {
      this.#isFullscreen = match[2] === "h";
    }
  }

  #command(bytes: Buffer, at: number): void {
    const text = bytes.toString("utf8", at + 2, at + 2 + MAX_TITLE_BYTES);
    if (!/^[02]?(;|$)/.test(text)) return;
    // biome-ignore lint/suspicious/noControlCharactersInRegex: a title ends with BEL or ESC.
    const end = text.search(/[\x07\x1b]/);
    if (end >= 2) this.#title = text.slice(2, end);
    else if (end < 0 && bytes.byteLength - at < MAX_TITLE_BYTES) this.#carry(bytes, at);
  }

  #carryLoneEnd(bytes: Buffer): void {
    if (this.#carried) return;
    const at = bytes.lastIndexOf(ESC);
    if (at >= 0 && bytes.byteLength - at <= 2) this.#carry(bytes, at);
  }

  #carry(bytes: Buffer, from: number): void {
    if (bytes.byteLength - from <= MAX_CARRIED_BYTES) this.#carried = Buffer.from(bytes.subarray(from));
  }
}
