import { connect, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { z } from "zod";
import { keep, letGo } from "../../output/slabs.ts";
import { BrokenFrameError, encodeMessage, encodeOutput, type Frame, FrameReader } from "./frames.ts";

/** Above this much unread data, the other side has stopped reading and is disconnected. */
const MAX_WAITING_BYTES = 64 * 1024 * 1024;
/** Above this, output waits for its turn, so that short and urgent messages are not queued behind it. */
const FULL_BYTES = 64 * 1024;

/** Space for a few frames of output. */
const READ_BYTES = 256 * 1024;

/** Bytes this short may be a key or its echo. An echo is written at once, before other work that the output causes. */
const MAX_URGENT_BYTES = 256;

/** How long a message that is not urgent waits to be sent together with another one. */
const SOON_MS = 2;

const NOTHING = Buffer.alloc(0);

export interface WireEvents<Incoming> {
  /** `isLate`: it arrived after its deadline; only signed messages have one. */
  onMessage(message: Incoming, bytes: Buffer, isLate: boolean): void;
  /** The bytes are valid only until the receiver returns. */
  onOutput(output: Extract<Frame, { kind: "output" }>): void;
  /** Called once. `error` is set unless it ended normally. */
  onClose(error: Error | null): void;
}

/** Signs a message that is about to be sent. */
export type Seal = (json: string, bytes: Uint8Array) => string;
/** Checks the signature of a received message. */
export type Unseal = (text: string, bytes: Uint8Array) => { json: string; isLate: boolean };

interface WireOptions {
  /** Set if the socket was opened by `connectReading`, which reads into one buffer. */
  reading?: Reading | undefined;
  seal?: Seal | undefined;
  unseal?: Unseal | undefined;
}

/** The data of a socket that was opened by `connectReading`. */
export interface Reading {
  onBytes: (chunk: Buffer) => void;
}

/**
 * Connects to a socket that is read into one reused buffer. A new buffer for
 * each read would keep the garbage collector busy during a flood.
 */
export function connectReading(path: string): { socket: Socket; reading: Reading } {
  const reading: Reading = { onBytes: () => {} };
  const buffer = Buffer.allocUnsafeSlow(READ_BYTES);
  const socket = connect({
    path,
    onread: {
      buffer,
      callback: (byteLength) => {
        reading.onBytes(buffer.subarray(0, byteLength));
        return true;
      },
    },
  });
  return { socket, reading };
}

/** A socket that carries frames. An invalid frame, or an unknown message, closes it. */
export class Wire<Incoming, Outgoing> {
  readonly #socket: Duplex;
  readonly #seal: Seal | undefined;
  readonly #waiting: (() => void)[] = [];
  #isCorked = false;
  readonly #soon: Outgoing[] = [];
  #soonTimer: NodeJS.Timeout | null = null;

  constructor(
    socket: Duplex,
    schema: z.ZodType<Incoming>,
    events: WireEvents<Incoming>,
    { reading, seal, unseal }: WireOptions = {},
  ) {
    this.#socket = socket;
    this.#seal = seal;
    const reader = new FrameReader((frame) => {
      if (socket.destroyed) return;
      if (frame.kind === "output") return events.onOutput(frame);
      const { json, isLate } = unseal ? unseal(frame.json, frame.bytes) : { json: frame.json, isLate: false };
      events.onMessage(parseMessage(json, schema), frame.bytes, isLate);
    });
    let failure: Error | null = null;
    const receive = (chunk: Buffer) => {
      try {
        reader.push(chunk);
      } catch (error) {
        if (!(error instanceof BrokenFrameError)) throw error;
        socket.destroy(error);
      }
    };
    if (reading) reading.onBytes = receive;
    else socket.on("data", receive);
    socket.on("error", (error) => {
      failure = error;
    });
    socket.on("drain", () => this.#wake());
    socket.on("close", () => {
      if (this.#soonTimer) clearTimeout(this.#soonTimer);
      this.#wake();
      events.onClose(failure);
    });
  }

  /** Whether output should wait. Everything else may be sent at once. */
  get isFull(): boolean {
    return this.#socket.writableLength > FULL_BYTES;
  }

  get waitingBytes(): number {
    return this.#socket.writableLength;
  }

  send(message: Outgoing, bytes: Uint8Array = NOTHING): void {
    this.#sendWaiting();
    this.#sendMessage(message, bytes);
  }

  /** Sends it together with the next message, or after a moment, because each system call wakes the other side. */
  sendSoon(message: Outgoing): void {
    this.#soon.push(message);
    this.#soonTimer ??= setTimeout(() => this.#sendWaiting(), SOON_MS);
  }

  sendOutput(stream: number, position: number, bytes: Uint8Array): void {
    if (bytes.byteLength <= MAX_URGENT_BYTES && !this.#isCorked && !this.#socket.destroyed) {
      const waiting = this.#takeWaiting().map((message) => this.#encode(message, NOTHING));
      this.#socket.write(Buffer.concat([...waiting, encodeOutput(stream, position, bytes.byteLength), bytes]));
      return;
    }
    this.#sendWaiting();
    this.#write(encodeOutput(stream, position, bytes.byteLength), keep(bytes), () => letGo(bytes));
  }

  /** Resolves when there is room again. */
  async untilRoom(): Promise<void> {
    while (this.isFull && !this.#socket.destroyed) {
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }

  /** Closes after everything was sent. */
  end(): void {
    this.#sendWaiting();
    this.#socket.end();
  }

  destroy(): void {
    this.#socket.destroy();
  }

  #sendWaiting(): void {
    for (const message of this.#takeWaiting()) this.#sendMessage(message, NOTHING);
  }

  #takeWaiting(): Outgoing[] {
    if (!this.#soonTimer) return [];
    clearTimeout(this.#soonTimer);
    this.#soonTimer = null;
    return this.#soon.splice(0);
  }

  #sendMessage(message: Outgoing, bytes: Uint8Array): void {
    this.#write(this.#encode(message, bytes), bytes);
  }

  #encode(message: Outgoing, bytes: Uint8Array): Buffer {
    const json = JSON.stringify(message);
    return encodeMessage(this.#seal ? this.#seal(json, bytes) : json, bytes.byteLength);
  }

  /** `onSent` is called when the bytes were written, or when they never will be. */
  #write(head: Buffer, bytes: Uint8Array, onSent?: () => void): void {
    const socket = this.#socket;
    if (socket.destroyed) {
      onSent?.();
      return;
    }
    // Everything sent within one turn of the event loop is written with one system call.
    if (!this.#isCorked) {
      this.#isCorked = true;
      socket.cork();
      process.nextTick(() => {
        this.#isCorked = false;
        socket.uncork();
      });
    }
    if (bytes.byteLength > MAX_URGENT_BYTES) {
      socket.write(head);
      socket.write(bytes, onSent);
    } else {
      // One buffer instead of two: for a key, the second one costs more than the copy.
      socket.write(bytes.byteLength > 0 ? Buffer.concat([head, bytes]) : head);
      onSent?.();
    }
    if (socket.writableLength > MAX_WAITING_BYTES) {
      socket.destroy(new Error(`The other side has not read for ${MAX_WAITING_BYTES} bytes.`));
    }
  }

  #wake(): void {
    for (const resolve of this.#waiting.splice(0)) resolve();
  }
}

function parseMessage<Message>(json: string, schema: z.ZodType<Message>): Message {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (error) {
    throw new BrokenFrameError("A message is not JSON.", { cause: error });
  }
  const parsed = schema.safeParse(value);
  if (!parsed.success) throw new BrokenFrameError(`A message is not known: ${parsed.error.message}`);
  return parsed.data;
}
