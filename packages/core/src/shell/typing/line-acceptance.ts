import type { ShellKind } from "../hooks.ts";

/** What the line editor prints when it has accepted a line. */
const END_OF_PASTE_MODE = "\x1b[?2004l";

/**
 * Detects from the echo of a line that the shell accepted it, for shells without a hook for that.
 *
 * In a plain `sh` the kernel does the echo: the line ends with the first line end. Zsh's editor
 * draws the line, over several rows if necessary, then turns bracketed paste off and moves to
 * the next row.
 */
export class LineAcceptance {
  #tail = "";
  #hasLeftEditor = false;

  restart(): void {
    this.#tail = "";
    this.#hasLeftEditor = false;
  }

  /** The position after the echo, once it is known. Gets every byte since the line was typed. */
  find(kind: ShellKind, bytes: Buffer, position: number): number | null {
    if (kind !== "zsh") return kind === "sh" ? behindLineEnd(bytes, 0, position) : null;
    if (this.#hasLeftEditor) return behindLineEnd(bytes, 0, position);
    const text = this.#tail + bytes.toString("latin1");
    const at = text.indexOf(END_OF_PASTE_MODE);
    if (at < 0) {
      this.#tail = text.slice(1 - END_OF_PASTE_MODE.length);
      return null;
    }
    this.#hasLeftEditor = true;
    return behindLineEnd(bytes, Math.max(0, at + END_OF_PASTE_MODE.length - this.#tail.length), position);
  }
}

function behindLineEnd(bytes: Buffer, from: number, position: number): number | null {
  const newline = bytes.indexOf("\n", from);
  return newline < 0 ? null : position + newline + 1;
}

/** What a line editor prints before the prompt, and so before its marker. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences are what this is about.
const BEFORE_PROMPT = /(?:\x1b\[\?2004h|\r?\x1b\[0m\x1b\[27m\x1b\[24m\x1b\[J)$/;
export const MAX_BEFORE_PROMPT_BYTES = 24;

/** At a prompt's marker: how many of the last bytes of output are no longer the command's. */
export function lengthBeforePrompt(lastBytes: string): number {
  return BEFORE_PROMPT.exec(lastBytes)?.[0].length ?? 0;
}
