import type { CommandReport, TerminalInfo, TerminalOwner } from "@belay/protocol";
import type { Source } from "../output/pace.ts";
import { keep, letGo } from "../output/slabs.ts";

/**
 * Receives every byte of a terminal, like its recording. Unlike a
 * follower it cannot fall behind: while too much is pending for it, the program is held back.
 */
export interface TerminalTap {
  /** In order, without gaps. Resolves when it has consumed them; to use the bytes after that, it must `keep` them. */
  output(bytes: Uint8Array): Promise<void>;
  resized(size: { cols: number; rows: number }): void;
  commandTyped(command: { commandId: string; line: string; position: number }): void;
  commandFinished(report: CommandReport): void;
  /** A person took it over, or handed it back to its agent. */
  ownerChanged(owner: TerminalOwner): void;
  /** After the last byte. */
  closed(exitCode: number | null): Promise<void>;
}

export type OpenTap = (terminal: TerminalInfo) => TerminalTap;

/** How much may be pending for the tap before the program is held back. */
const MAX_PENDING_BYTES = 1024 * 1024;
/** A batch of this size is passed on at once: half of what a flood is read in. */
const FLUSH_AT_BYTES = 32 * 1024;

/**
 * Passes output to a tap and holds the program back if the tap does not keep up.
 *
 * A terminal is read in pieces of 4 KB, many within one turn of the event loop. They go to the
 * tap together: the fixed cost per call is as high as that of the bytes.
 */
export class TapFeed {
  readonly #tap: TerminalTap;
  readonly #source: Source;
  #pendingBytes = 0;
  #isHolding = false;
  #gathered: Uint8Array[] = [];
  #gatheredBytes = 0;
  #flush: NodeJS.Immediate | null = null;

  constructor(tap: TerminalTap, source: Source) {
    this.#tap = tap;
    this.#source = source;
  }

  push(bytes: Uint8Array): void {
    this.#pendingBytes += bytes.byteLength;
    if (!this.#isHolding && this.#pendingBytes > MAX_PENDING_BYTES) {
      this.#isHolding = true;
      this.#source.hold();
    }
    // A large piece is not joined with what came before it: that would copy it.
    if (bytes.byteLength >= FLUSH_AT_BYTES) this.flush();
    this.#gathered.push(keep(bytes));
    this.#gatheredBytes += bytes.byteLength;
    if (this.#gatheredBytes >= FLUSH_AT_BYTES) this.flush();
    else this.#flush ??= setImmediate(() => this.flush());
  }

  /** Passes all output so far to the tap, before any other call to it. */
  flush(): void {
    if (this.#flush) clearImmediate(this.#flush);
    this.#flush = null;
    const pieces = this.#gathered;
    const [first] = pieces;
    if (!first) return;
    const bytes = pieces.length === 1 ? first : Buffer.concat(pieces);
    this.#gathered = [];
    this.#gatheredBytes = 0;
    // A tap reports its own failures; the terminal continues either way.
    void this.#tap.output(bytes).then(
      () => this.#taken(pieces, bytes.byteLength),
      () => this.#taken(pieces, bytes.byteLength),
    );
  }

  #taken(pieces: Uint8Array[], byteLength: number): void {
    for (const piece of pieces) letGo(piece);
    this.#pendingBytes -= byteLength;
    if (!this.#isHolding || this.#pendingBytes > MAX_PENDING_BYTES / 2) return;
    this.#isHolding = false;
    this.#source.release();
  }
}
