import type { CommandReport, TerminalInfo } from "@belay/protocol";
import type { Source } from "../output/pace.ts";

/**
 * Receives every byte of a terminal, as its recording does. Unlike a
 * follower it may not fall behind: while too much waits for it, the program waits too.
 */
export interface TerminalTap {
  /** In order, without gaps. Settles when it has taken them. */
  output(bytes: Uint8Array): Promise<void>;
  resized(size: { cols: number; rows: number }): void;
  commandTyped(command: { commandId: string; line: string; position: number }): void;
  commandFinished(report: CommandReport): void;
  promoted(): void;
  /** A person gives it back to its agent. */
  handedBack(): void;
  /** After the last byte. */
  closed(exitCode: number | null): Promise<void>;
}

export type OpenTap = (terminal: TerminalInfo) => TerminalTap;

/** This much may wait for the tap before the program has to. */
const MAX_PENDING_BYTES = 1024 * 1024;
/** At this size a batch is passed on at once. */
const FLUSH_AT_BYTES = 64 * 1024;

/**
 * Passes output to a tap and holds the program back where the tap does not keep up.
 *
 * A terminal is read in pieces of 4 KB, many within one turn of the loop. They go to the
 * tap together: what it does for each call costs as much as what it does for the bytes.
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
    this.#gathered.push(bytes);
    this.#gatheredBytes += bytes.byteLength;
    if (this.#gatheredBytes >= FLUSH_AT_BYTES) this.flush();
    else this.#flush ??= setImmediate(() => this.flush());
  }

  /** Has everything go to the tap that came so far, before whatever it is told next. */
  flush(): void {
    if (this.#flush) clearImmediate(this.#flush);
    this.#flush = null;
    const [first] = this.#gathered;
    if (!first) return;
    const bytes = this.#gathered.length === 1 ? first : Buffer.concat(this.#gathered);
    this.#gathered = [];
    this.#gatheredBytes = 0;
    // What a tap could not take is its own to report; the terminal goes on either way.
    void this.#tap.output(bytes).then(
      () => this.#taken(bytes.byteLength),
      () => this.#taken(bytes.byteLength),
    );
  }

  #taken(byteLength: number): void {
    this.#pendingBytes -= byteLength;
    if (!this.#isHolding || this.#pendingBytes > MAX_PENDING_BYTES / 2) return;
    this.#isHolding = false;
    this.#source.release();
  }
}
