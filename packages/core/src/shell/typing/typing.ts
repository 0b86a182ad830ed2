import type { ShellKind } from "../hooks.ts";
import { BASH_POSIX_MODE } from "../preparation.ts";
import { quote, quoteForFish } from "../quote.ts";

const PASTE_BEGIN = "\x1b[200~";
const PASTE_END = "\x1b[201~";
export const ENTER = "\r";
export const CLEAR_SCREEN = "\x0c";
export const INTERRUPT = "\x03";

/** Without a line editor the kernel collects the line, and drops everything after 4,095 bytes. */
const MAX_PLAIN_LINE_BYTES = 4000;

export type Typing =
  | { type: "keys"; bytes: Buffer }
  /** Not typed directly: the shell reads it from a file. */
  | { type: "file" };

/**
 * How a text is typed into a shell so that it is taken literally.
 *
 * Shells with a line editor get it as a bracketed paste: every byte is literal (a
 * tab does not complete, Ctrl-U does not erase), several lines and here-docs stay
 * together, and length does not matter. A plain `sh` has no editor; a single line is
 * typed, anything else is read from a file, because it would run the text line by
 * line and show a prompt after each.
 */
export function typingOf(kind: ShellKind, text: string): Typing {
  switch (kind) {
    case "fish":
      // Fish drops tabs and control characters from a paste.
      if (/\t/.test(text) || hasControlCharacter(text.replaceAll("\n", ""))) return { type: "file" };
      return { type: "keys", bytes: paste(text) };
    case "bash":
    case "zsh":
      return { type: "keys", bytes: paste(text) };
    case "sh":
    case "other": {
      const bytes = Buffer.from(text + ENTER);
      const isPlain = bytes.byteLength <= MAX_PLAIN_LINE_BYTES && !hasControlCharacter(text);
      return isPlain || kind === "other" ? { type: "keys", bytes } : { type: "file" };
    }
  }
}

/** The line that makes a shell read a file as if it had been typed. */
export function readFileLine(kind: ShellKind, path: string): string {
  if (kind === "fish") return `source ${quoteForFish(path)}`;
  return `${kind === "bash" ? BASH_POSIX_MODE : ""}. ${quote(path)}`;
}

/** Normalises line ends; in a terminal CR is the Enter key. */
export function normaliseLineEnds(text: string): string {
  return text.replace(/\r\n?/g, "\n");
}

/** An end of paste inside a paste would turn the rest of the text into keys. */
export function endsPaste(text: string): boolean {
  return text.includes(PASTE_END);
}

function paste(text: string): Buffer {
  return Buffer.from(PASTE_BEGIN + text + PASTE_END + ENTER);
}

function hasControlCharacter(text: string): boolean {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if ((code < 0x20 && code !== 0x09) || code === 0x7f) return true;
  }
  return false;
}
