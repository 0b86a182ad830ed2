import type { OutputConsumer } from "../pool/terminal-pool.ts";
import type { OutputLog } from "./output-log.ts";

/** The size of one frame on the wire. */
const MAX_CHUNK_BYTES = 64 * 1024;
/** After a chunk, output is batched for this long before the next one. */
const GATHER_MS = 4;
/** This many small pieces after silence are not batched: a key often causes two, its echo and the program's answer. */
const PIECES_AT_ONCE = 3;
const SMALL_BYTES = 1024;

/**
 * One reader of a terminal's output: only a position in the log.
 *
 * The first pieces after silence are delivered at once, so that a keystroke's echo does not
 * wait; what comes right after them is batched, so that a flood costs a few calls
 * instead of thousands. A reader slower than the ring buffer is told what it missed.
 */
export class Follower {
  readonly #log: OutputLog;
  readonly #consumer: OutputConsumer;
  readonly #onMoved: () => void;
  #position: number;
  #isDelivering = false;
  #gather: NodeJS.Timeout | null = null;
  #piecesAtOnce = PIECES_AT_ONCE;
  #end: { exitCode: number | null } | null = null;
  #isStopped = false;

  /** Waits for a position that the log has not reached yet. `onMoved` is called when it advances after a pause. */
  constructor(log: OutputLog, fromPosition: number, consumer: OutputConsumer, onMoved: () => void) {
    this.#onMoved = onMoved;
    this.#log = log;
    this.#position = fromPosition;
    this.#consumer = consumer;
  }

  /** The position after the bytes delivered to the consumer. */
  get position(): number {
    return this.#position;
  }

  /** The log has grown. */
  wake(): void {
    if (this.#isDelivering || this.#isStopped) return;
    if (this.#gather && this.#shouldGather()) return;
    this.#deliver();
  }

  /** No more will come. */
  end(exitCode: number | null): void {
    this.#end = { exitCode };
    if (!this.#isDelivering && !this.#isStopped) this.#deliver();
  }

  stop(): void {
    this.#isStopped = true;
    this.#stopGathering();
  }

  #shouldGather(): boolean {
    const pendingBytes = this.#log.endPosition - this.#position;
    if (pendingBytes >= MAX_CHUNK_BYTES) return false;
    if (pendingBytes > SMALL_BYTES || this.#piecesAtOnce === 0) return true;
    this.#piecesAtOnce -= 1;
    return false;
  }

  #deliver(): void {
    this.#stopGathering();
    while (!this.#isStopped && this.#position < this.#log.endPosition) {
      const slice = this.#log.next(this.#position, MAX_CHUNK_BYTES, this.#consumer.takes ?? "copies");
      if (slice.missedBytes > 0) this.#consumer.onGap({ from: this.#position, to: slice.fromPosition });
      this.#position = slice.fromPosition + slice.bytes.byteLength;
      const taken = this.#consumer.onOutput({ position: slice.fromPosition, bytes: slice.bytes });
      if (taken instanceof Promise) {
        this.#resumeAfter(taken);
        return;
      }
    }
    if (this.#isStopped) return;
    if (this.#end) {
      this.stop();
      this.#consumer.onEnd({ position: this.#position, exitCode: this.#end.exitCode });
    } else {
      this.#gather = setTimeout(() => {
        this.#gather = null;
        if (this.#position >= this.#log.endPosition) {
          this.#piecesAtOnce = PIECES_AT_ONCE;
          return;
        }
        this.#deliver();
        this.#onMoved();
      }, GATHER_MS);
    }
  }

  #resumeAfter(taken: Promise<void>): void {
    this.#isDelivering = true;
    taken.then(
      () => {
        this.#isDelivering = false;
        if (this.#isStopped) return;
        this.#deliver();
        this.#onMoved();
      },
      // A consumer that throws gets nothing more; it reports its own failure.
      () => this.stop(),
    );
  }

  #stopGathering(): void {
    if (this.#gather) clearTimeout(this.#gather);
    this.#gather = null;
  }
}
