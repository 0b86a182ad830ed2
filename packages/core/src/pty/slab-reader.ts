import { ReadStream } from "node:tty";
import { type Flooding, FloodTurns } from "./flood-turns.ts";

/** All terminals of a process share its event loop. */
const turns = new FloodTurns();

/** As much as Linux hands over at once. A read that gets all of it is a sign that more is waiting. */
const READ_BYTES = 4095;
/** What a quiet terminal holds, and what a flood is gathered in: a little less than one frame on the wire. */
const QUIET_SLAB_BYTES = 2 * READ_BYTES;
const FLOOD_SLAB_BYTES = 16 * READ_BYTES;
/** After a full read, this long more may come before what there is goes on. */
const GATHER_MS = 1;

interface SlabReaderEvents {
  /** The bytes are the receiver's to keep. */
  onBytes(bytes: Buffer): void;
  /** Nothing more can be read. */
  onEnd(): void;
}

/**
 * Reads a terminal straight into large buffers.
 *
 * A terminal gives 4 KB at a time, and whatever is done for each piece costs more than
 * the bytes in it: a buffer of its own, a look for markers, a place in every queue. So
 * full reads are put behind one another and go on together. A read that is not full
 * goes on at once: that is all there is, and a keystroke's echo must not wait.
 */
export class SlabReader implements Flooding {
  readonly #stream: ReadStream;
  readonly #events: SlabReaderEvents;
  #slab: Buffer = Buffer.allocUnsafeSlow(QUIET_SLAB_BYTES);
  /** What has been read into the slab, and how much of that went on. */
  #filled = 0;
  #passedOn = 0;
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
    if (this.#slab.byteLength - this.#filled < READ_BYTES) {
      this.#passOn();
      if (this.#isFlooding) turns.spend(this);
      this.#slab = Buffer.allocUnsafeSlow(this.#isFlooding ? FLOOD_SLAB_BYTES : QUIET_SLAB_BYTES);
      this.#filled = 0;
      this.#passedOn = 0;
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
    turns.leave(this);
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
