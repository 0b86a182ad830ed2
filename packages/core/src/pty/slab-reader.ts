import { ReadStream } from "node:tty";
import { letGo, takeSlab } from "../output/slabs.ts";
import { type Flooding, floodTurns } from "./flood-turns.ts";

/** The most that Linux delivers per read. A full read means that more is probably waiting. */
const READ_BYTES = 4095;
/** The buffer of a quiet terminal. */
const QUIET_BYTES = 2 * READ_BYTES;
/** After a full read, how long to wait for more before passing it on. */
const GATHER_MS = 1;

interface SlabReaderEvents {
  /** The bytes are valid until it returns; a receiver that needs them longer must `keep` them. */
  onBytes(bytes: Buffer): void;
  /** Nothing more can be read. */
  onEnd(): void;
}

/**
 * Reads a terminal directly into large buffers.
 *
 * A terminal delivers 4 KB at a time, and the fixed cost per piece is higher than
 * that of its bytes: a buffer, a search for markers, a place in every queue. So
 * full reads are appended and passed on together. A read that is not full
 * is passed on at once: nothing more is waiting, and a keystroke's echo must not be delayed.
 */
export class SlabReader implements Flooding {
  readonly #stream: ReadStream;
  readonly #events: SlabReaderEvents;
  #slab: Buffer = Buffer.allocUnsafeSlow(QUIET_BYTES);
  /** How much of the slab is filled, and how much of that was passed on. */
  #filled = 0;
  #passedOn = 0;
  /** Where the current turn of a flood began. */
  #turnStart = 0;
  #isFlooding = false;
  #gather: NodeJS.Timeout | null = null;
  #isHeld = false;
  #waitsForTurn = false;
  #isClosed = false;

  constructor(fd: number, events: SlabReaderEvents) {
    this.#events = events;
    this.#stream = new ReadStream(fd, {
      onread: {
        buffer: () => this.#nextWindow(),
        callback: (byteLength) => {
          this.#received(byteLength);
          return true;
        },
      },
    });
    const onEnd = () => {
      if (this.#isClosed) return;
      this.#passOn();
      events.onEnd();
    };
    // EIO is how the last reader learns that every writer is gone.
    this.#stream.on("error", onEnd);
    this.#stream.on("close", onEnd);
    this.#stream.resume();
  }

  get isPaused(): boolean {
    return this.#stream.isPaused();
  }

  pause(): void {
    this.#isHeld = true;
    this.#leaveTurns();
    this.#stream.pause();
  }

  resume(): void {
    this.#isHeld = false;
    if (!this.#waitsForTurn) this.#stream.resume();
  }

  waitForTurn(): void {
    this.#waitsForTurn = true;
    this.#stream.pause();
  }

  takeTurn(): void {
    this.#waitsForTurn = false;
    if (!this.#isHeld) this.#stream.resume();
  }

  close(): void {
    this.#isClosed = true;
    this.#leaveTurns();
    if (this.#gather) clearTimeout(this.#gather);
    this.#stream.destroy();
  }

  #nextWindow(): Buffer {
    if (this.#isFlooding && this.#filled - this.#turnStart >= floodTurns.turnBytes) {
      this.#passOn();
      this.#turnStart = this.#filled;
      floodTurns.spend(this);
    }
    if (this.#slab.byteLength - this.#filled < READ_BYTES) {
      this.#passOn();
      letGo(this.#slab);
      this.#slab = this.#isFlooding ? takeSlab() : Buffer.allocUnsafeSlow(QUIET_BYTES);
      this.#filled = 0;
      this.#passedOn = 0;
      this.#turnStart = 0;
    }
    return this.#slab.subarray(this.#filled, this.#filled + READ_BYTES);
  }

  #received(byteLength: number): void {
    if (this.#isClosed) return;
    this.#filled += byteLength;
    const wasFlooding = this.#isFlooding;
    this.#isFlooding = byteLength === READ_BYTES;
    if (wasFlooding && !this.#isFlooding) this.#leaveTurns();
    if (!this.#isFlooding) this.#passOn();
    else this.#gather ??= setTimeout(() => this.#passOn(), GATHER_MS);
  }

  #leaveTurns(): void {
    this.#waitsForTurn = false;
    floodTurns.leave(this);
  }

  #passOn(): void {
    if (this.#gather) clearTimeout(this.#gather);
    this.#gather = null;
    if (this.#passedOn === this.#filled || this.#isClosed) return;
    const bytes = this.#slab.subarray(this.#passedOn, this.#filled);
    this.#passedOn = this.#filled;
    this.#events.onBytes(bytes);
  }
}
