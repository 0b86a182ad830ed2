/**
 * What the hooks in a shell tell us, in between its output.
 *
 * A marker is `ESC ] 7337 ; <nonce> ; <kind> [; <exit code> ; <cwd>] BEL`. The nonce
 * is random for each terminal, so output cannot forge one without having read it
 * from the shell. Markers are taken out of the stream: what people, models and
 * recordings get is what the shell would have printed without us, and the nonce
 * does not leak into it.
 */
export type Marker =
  /** The command line was read and is about to run. */
  | { kind: "started" }
  /** A command ended. More of the same text may follow. */
  | { kind: "ended"; exitCode: number | null; cwd: string | null }
  /** The shell shows its prompt: it wants a new command. */
  | { kind: "prompt"; exitCode: number | null; cwd: string | null }
  /** The shell wants more of an unfinished command. */
  | { kind: "continuation" }
  /** The shell has done what `shell-control.ts` asked of it. */
  | { kind: "applied" };

export const MARKER_KINDS = { started: "C", ended: "D", prompt: "P", continuation: "Q", applied: "X" } as const;

export function markerPrefix(nonce: string): string {
  return `]7337;${nonce};`;
}

/** A marker is longer only if its working directory is. */
const MAX_MARKER_BYTES = 8 * 1024;
const BEL = 0x07;
const ESC = "\x1b";

export interface MarkerEvents {
  onOutput(bytes: Buffer): void;
  onMarker(marker: Marker): void;
}

/** Splits a shell's stream into output and markers, wherever the chunks are cut. */
export class MarkerFilter {
  readonly #prefix: Buffer;
  readonly #events: MarkerEvents;
  /** The end of the last chunk, where it may be the beginning of a marker. */
  #held: Buffer = Buffer.alloc(0);

  constructor(nonce: string, events: MarkerEvents) {
    this.#prefix = Buffer.from(ESC + markerPrefix(nonce));
    this.#events = events;
  }

  get hasHeldBytes(): boolean {
    return this.#held.byteLength > 0;
  }

  push(chunk: Buffer): void {
    let rest = this.#held.byteLength > 0 ? Buffer.concat([this.#held, chunk]) : chunk;
    this.#held = rest.subarray(0, 0);
    for (;;) {
      const at = rest.indexOf(this.#prefix);
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
        // Nothing of ours is that long; somebody prints what they read of the nonce.
        this.#emitBut(rest, 0);
        return;
      }
      this.#emit(rest.subarray(0, at));
      const marker = parseMarker(rest.toString("utf8", at + this.#prefix.byteLength, end));
      if (marker) this.#events.onMarker(marker);
      rest = rest.subarray(end + 1);
    }
  }

  /** Gives out what is held back. For the end, and for a lone ESC that a program printed and then paused. */
  flush(): void {
    const held = this.#held;
    this.#held = Buffer.alloc(0);
    this.#emit(held);
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

function parseMarker(text: string): Marker | null {
  const [kind, exitCode, ...cwd] = text.split(";");
  switch (kind) {
    case MARKER_KINDS.started:
      return { kind: "started" };
    case MARKER_KINDS.ended:
      return { kind: "ended", ...parseStatus(exitCode, cwd) };
    case MARKER_KINDS.prompt:
      return { kind: "prompt", ...parseStatus(exitCode, cwd) };
    case MARKER_KINDS.continuation:
      return { kind: "continuation" };
    case MARKER_KINDS.applied:
      return { kind: "applied" };
    default:
      return null;
  }
}

function parseStatus(exitCode: string | undefined, cwd: string[]): { exitCode: number | null; cwd: string | null } {
  return {
    exitCode: exitCode !== undefined && /^\d{1,3}$/.test(exitCode) ? Number(exitCode) : null,
    cwd: cwd.length > 0 && cwd.join(";").startsWith("/") ? cwd.join(";") : null,
  };
}

function lengthOfBeginningAtEnd(bytes: Buffer, word: Buffer): number {
  // Almost every chunk has no ESC near its end, and is done here.
  const from = bytes.lastIndexOf(word[0] ?? 0);
  const length = bytes.byteLength - from;
  if (from < 0 || length >= word.byteLength) return 0;
  return bytes.subarray(from).equals(word.subarray(0, length)) ? length : 0;
}
