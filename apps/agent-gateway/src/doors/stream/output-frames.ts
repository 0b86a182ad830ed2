import { OUTPUT_FRAME_HEADER_BYTES, writeOutputFrame } from "@belay/protocol";

/** A chunk of output is never longer. */
const BUFFER_BYTES = OUTPUT_FRAME_HEADER_BYTES + 64 * 1024;
/** Below this a buffer of its own costs less than a place in the pool. */
const MIN_POOLED_BYTES = 2 * 1024;
/** How many frames wait for other viewers who come to the same place, and how many buffers for the next flood. */
const MAX_RECENT = 32;
const MAX_FREE = 32;

export interface OutputFrame {
  readonly message: Uint8Array;
  /** It was sent, or never will be. */
  release(): void;
}

interface PooledFrame extends OutputFrame {
  users: number;
}

interface Output {
  channel: number;
  position: number;
  bytes: Uint8Array;
}

/**
 * Output as viewers get it: encoded once for all of them who are at the same place, into
 * buffers that are used again. New ones for every frame would have the garbage collector,
 * and so everyone who types, pay for each flood.
 */
export class OutputFrames {
  /** By channel, position and length; the oldest first. */
  readonly #recent = new Map<string, PooledFrame>();
  readonly #free: Uint8Array<ArrayBuffer>[] = [];

  /** Every frame that is taken has to be released. */
  take(output: Output): OutputFrame {
    const { channel, position, bytes } = output;
    if (bytes.byteLength < MIN_POOLED_BYTES) {
      const message = writeOutputFrame(new Uint8Array(OUTPUT_FRAME_HEADER_BYTES + bytes.byteLength), output);
      return { message, release: () => {} };
    }
    const key = `${channel} ${position} ${bytes.byteLength}`;
    const known = this.#recent.get(key);
    const frame = known ?? this.#encode(output);
    frame.users += 1;
    if (!known) this.#remember(key, frame);
    return frame;
  }

  #encode(output: Output): PooledFrame {
    const buffer = this.#free.pop() ?? new Uint8Array(BUFFER_BYTES);
    const frame: PooledFrame = {
      message: writeOutputFrame(buffer, output),
      users: 0,
      release: () => {
        frame.users -= 1;
        if (frame.users === 0 && this.#free.length < MAX_FREE) this.#free.push(buffer);
      },
    };
    return frame;
  }

  #remember(key: string, frame: PooledFrame): void {
    // To be remembered is one of its uses.
    frame.users += 1;
    this.#recent.set(key, frame);
    const [oldest] = this.#recent;
    if (!oldest || this.#recent.size <= MAX_RECENT) return;
    this.#recent.delete(oldest[0]);
    oldest[1].release();
  }
}
