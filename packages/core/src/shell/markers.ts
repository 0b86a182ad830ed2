/**
 * Messages from the hooks in a shell, embedded in its output.
 *
 * A marker is `ESC ] 7337 ; <nonce> ; <kind> ; <pid> [; <shell> ; <exit code> ; <turn>] BEL`,
 * with the pid as the shell sees it, which tells a nested shell
 * from the one that the terminal was started with. The nonce is random for each terminal, so that
 * output does not contain one by accident. A program in the terminal can read it from the shell,
 * so the kernel has to confirm what a marker says (`terminal/commands/shell-observer.ts`). Markers are removed
 * from the stream: people, models and recordings get what the shell would have printed
 * without us.
 */
export type Marker =
  /** The command line was read and is about to run. */
  | { kind: "started"; pid: number }
  /** A command ended. More commands of the same text may follow. */
  | ({ kind: "ended" } & ShellStatus)
  /** The shell could not parse the text, and left it on its line. */
  | ({ kind: "refused" } & ShellStatus)
  /** The shell shows its prompt, and waits for a new command. */
  | ({ kind: "prompt" } & ShellStatus)
  /** The same again, after the prompt, in case the first was removed. */
  | ({ kind: "prompt-again" } & ShellStatus)
  /** The shell waits for the rest of an unfinished command. */
  | { kind: "continuation"; pid: number };

export interface ShellStatus {
  pid: number;
  shell: string;
  exitCode: number | null;
  /** Changes with every prompt, but not when one is repainted; empty if the shell does not support it. */
  turn: string;
}

export const MARKER_KINDS = {
  started: "C",
  ended: "D",
  refused: "E",
  prompt: "P",
  promptAgain: "R",
  continuation: "Q",
} as const;

export function markerPrefix(nonce: string): string {
  return `]7337;${nonce};`;
}

/** Longer than any of our markers. */
const MAX_MARKER_BYTES = 1024;
const BEL = 0x07;
const ESC = "\x1b";
const NOTHING = Buffer.alloc(0);

export interface MarkerEvents {
  onOutput(bytes: Buffer): void;
  onMarker(marker: Marker): void;
}

/** Splits a shell's stream into output and markers, for any chunking. */
export class MarkerFilter {
  readonly #prefix: Buffer;
  readonly #prefixAfterEscape: Buffer;
  readonly #events: MarkerEvents;
  /** The end of the last chunk, if it may be the beginning of a marker. */
  #held: Buffer = NOTHING;
  /** A lone ESC that was released although it may still turn out to begin a marker. */
  #hasReleasedEscape = false;

  constructor(nonce: string, events: MarkerEvents) {
    this.#prefix = ownBuffer(ESC + markerPrefix(nonce));
    this.#prefixAfterEscape = this.#prefix.subarray(1);
    this.#events = events;
  }

  /** Whether a lone ESC is held back, which a program may have meant as it is. */
  get holdsEscape(): boolean {
    return this.#held.byteLength === 1;
  }

  push(chunk: Buffer): void {
    let rest = this.#held.byteLength > 0 ? Buffer.concat([this.#held, chunk]) : chunk;
    this.#held = NOTHING;
    if (this.#hasReleasedEscape) rest = this.#settleReleasedEscape(rest);
    for (;;) {
      const at = this.#indexOfPrefix(rest);
      if (at < 0) {
        this.#emitBut(rest, lengthOfBeginningAtEnd(rest, this.#prefix));
        return;
      }
      const end = rest.indexOf(BEL, at + this.#prefix.byteLength);
      if (end < 0 && rest.byteLength - at < MAX_MARKER_BYTES) {
        this.#emitBut(rest, rest.byteLength - at);
        return;
      }
      if (end < 0) {
        // Longer than any of our markers: a program prints the nonce that it read.
        this.#emitBut(rest, 0);
        return;
      }
      this.#emit(rest.subarray(0, at));
      const marker = parseMarker(rest.toString("utf8", at + this.#prefix.byteLength, end));
      if (marker) this.#events.onMarker(marker);
      rest = rest.subarray(end + 1);
    }
  }

  /** Searches without the ESC: it is so frequent in coloured output that the search would be five times slower. */
  #indexOfPrefix(bytes: Buffer): number {
    for (
      let at = bytes.indexOf(this.#prefixAfterEscape);
      at >= 0;
      at = bytes.indexOf(this.#prefixAfterEscape, at + 1)
    ) {
      if (bytes[at - 1] === this.#prefix[0]) return at - 1;
    }
    return -1;
  }

  /** Releases a lone ESC, because the program that printed it has paused. */
  releaseEscape(): void {
    if (!this.holdsEscape) return;
    this.flush();
    this.#hasReleasedEscape = true;
  }

  /** Releases what is held back, at the end. */
  flush(): void {
    const held = this.#held;
    this.#held = NOTHING;
    this.#emit(held);
  }

  /** The released ESC did begin a marker: completes it to "ESC \\", which has no effect in a terminal. */
  #settleReleasedEscape(rest: Buffer): Buffer {
    this.#hasReleasedEscape = false;
    if (!rest.subarray(0, this.#prefix.byteLength - 1).equals(this.#prefix.subarray(1))) return rest;
    this.#emit(Buffer.from("\\"));
    return Buffer.concat([this.#prefix.subarray(0, 1), rest]);
  }

  #emitBut(bytes: Buffer, heldLength: number): void {
    const cut = bytes.byteLength - heldLength;
    if (heldLength > 0) this.#held = Buffer.from(bytes.subarray(cut));
    this.#emit(bytes.subarray(0, cut));
  }

  #emit(bytes: Buffer): void {
    if (bytes.byteLength > 0) this.#events.onOutput(bytes);
  }
}

/** In memory of its own: a small buffer shares 64 KB with others, which would stay as long as the terminal. */
function ownBuffer(text: string): Buffer {
  const buffer = Buffer.allocUnsafeSlow(Buffer.byteLength(text));
  buffer.write(text);
  return buffer;
}

function parseMarker(text: string): Marker | null {
  const [kind, pidText, shell = "", exitCode = "", turn = ""] = text.split(";");
  const pid = Number(pidText);
  const status: ShellStatus = {
    pid,
    shell,
    exitCode: /^\d{1,3}$/.test(exitCode) ? Number(exitCode) : null,
    turn,
  };
  switch (kind) {
    case MARKER_KINDS.started:
      return { kind: "started", pid };
    case MARKER_KINDS.ended:
      return { kind: "ended", ...status };
    case MARKER_KINDS.refused:
      return { kind: "refused", ...status };
    case MARKER_KINDS.prompt:
      return { kind: "prompt", ...status };
    case MARKER_KINDS.promptAgain:
      return { kind: "prompt-again", ...status };
    case MARKER_KINDS.continuation:
      return { kind: "continuation", pid };
    default:
      return null;
  }
}

function lengthOfBeginningAtEnd(bytes: Buffer, word: Buffer): number {
  // Almost every chunk has no ESC near its end, and returns here.
  const from = bytes.lastIndexOf(word[0] ?? 0);
  const length = bytes.byteLength - from;
  if (from < 0 || length >= word.byteLength) return 0;
  return bytes.subarray(from).equals(word.subarray(0, length)) ? length : 0;
}
