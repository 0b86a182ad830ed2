import { OUTPUT_FRAME_HEADER_BYTES, writeOutputFrame } from "@belay/protocol";

/** The largest chunk of output. */
const BUFFER_BYTES = OUTPUT_FRAME_HEADER_BYTES + 64 * 1024;
/** Below this, a new buffer costs less than a pooled one. */
const MIN_POOLED_BYTES = 2 * 1024;
/** How many frames are cached for other viewers at the same position, and how many buffers are kept for the next flood. */
const MAX_RECENT = 32;
const MAX_FREE = 32;

export interface OutputFrame {
  readonly message: Uint8Array;
  /** Called when it was sent, or never will be. */
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
 * Output frames: encoded once for all viewers at the same position, into
 * pooled buffers. Allocating every frame would make the garbage collector,
 * and so everyone who types, pay for each flood.
 */
export class OutputFrames {
  /** By channel, position and length; oldest first. */
  readonly #recent = new Map<string, PooledFrame>();
  readonly #free: Uint8Array<ArrayBuffer>[] = [];

  /** Every frame that is taken must be released. */
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
    // The cache holds one reference itself.
    frame.users += 1;
    this.#recent.set(key, frame);
    const [oldest] = this.#recent;
    if (!oldest || this.#recent.size <= MAX_RECENT) return;
    this.#recent.delete(oldest[0]);
    oldest[1].release();
  }
}
