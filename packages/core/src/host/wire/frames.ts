/**
 * What travels between the gateway and the host of its terminals.
 *
 *     length u32 | version u8 | kind u8 | body
 *
 * A `message` is JSON with bytes attached: `jsonLength u32 | json | bytes`.
 * `output` is what terminals print: `stream u32 | position f64 | bytes`, with no JSON
 * in between. Numbers are big-endian; `length` counts the body.
 */
export const FRAME_VERSION = 1;
export const MAX_FRAME_BYTES = 16 * 1024 * 1024;

const HEADER_BYTES = 6;
const OUTPUT_HEADER_BYTES = 12;
const KIND = { message: 1, output: 2 } as const;

export type Frame =
  | { kind: "message"; json: string; bytes: Buffer }
  | { kind: "output"; stream: number; position: number; bytes: Buffer };

/** The other side speaks something else, or too much at once. The connection cannot go on. */
export class BrokenFrameError extends Error {
  override readonly name = "BrokenFrameError";
}

/** What comes before the attached bytes, which follow as they are. */
export function encodeMessage(json: string, attachedBytes: number): Buffer {
  const jsonBytes = Buffer.byteLength(json);
  const length = 4 + jsonBytes + attachedBytes;
  if (length > MAX_FRAME_BYTES) {
    throw new BrokenFrameError(`A message of ${length} bytes is too long; the most is ${MAX_FRAME_BYTES}.`);
  }
  const frame = Buffer.allocUnsafe(HEADER_BYTES + 4 + jsonBytes);
  writeHeader(frame, length, KIND.message);
  frame.writeUInt32BE(jsonBytes, HEADER_BYTES);
  frame.write(json, HEADER_BYTES + 4);
  return frame;
}

/** What comes before the bytes of output, which follow as they are. */
export function encodeOutput(stream: number, position: number, outputBytes: number): Buffer {
  const frame = Buffer.allocUnsafe(HEADER_BYTES + OUTPUT_HEADER_BYTES);
  writeHeader(frame, OUTPUT_HEADER_BYTES + outputBytes, KIND.output);
  frame.writeUInt32BE(stream, HEADER_BYTES);
  frame.writeDoubleBE(position, HEADER_BYTES + 4);
  return frame;
}

/** Puts frames together again from what a socket delivers, however it was cut. */
export class FrameReader {
  readonly #onFrame: (frame: Frame) => void;
  #chunks: Buffer[] = [];
  #bytes = 0;

  constructor(onFrame: (frame: Frame) => void) {
    this.#onFrame = onFrame;
  }

  push(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#bytes += chunk.byteLength;
    while (this.#bytes >= HEADER_BYTES) {
      const header = this.#peek(HEADER_BYTES);
      const length = header.readUInt32BE(0);
      checkHeader(length, header[4]);
      if (this.#bytes < HEADER_BYTES + length) return;
      const frame = this.#take(HEADER_BYTES + length);
      this.#onFrame(parseBody(header[5], frame.subarray(HEADER_BYTES)));
    }
  }

  #peek(length: number): Buffer {
    this.#joinFirst(length);
    return (this.#chunks[0] as Buffer).subarray(0, length);
  }

  #take(length: number): Buffer {
    this.#joinFirst(length);
    const first = this.#chunks[0] as Buffer;
    if (first.byteLength === length) this.#chunks.shift();
    else this.#chunks[0] = first.subarray(length);
    this.#bytes -= length;
    return first.subarray(0, length);
  }

  /** Makes the first chunk at least so long. */
  #joinFirst(length: number): void {
    const first = this.#chunks[0];
    if (first && first.byteLength >= length) return;
    let count = 0;
    for (let bytes = 0; bytes < length; count++) bytes += this.#chunks[count]?.byteLength ?? 0;
    this.#chunks.unshift(Buffer.concat(this.#chunks.splice(0, count)));
  }
}

function writeHeader(frame: Buffer, length: number, kind: number): void {
  frame.writeUInt32BE(length, 0);
  frame[4] = FRAME_VERSION;
  frame[5] = kind;
}

function checkHeader(length: number, version: number | undefined): void {
  if (version !== FRAME_VERSION) throw new BrokenFrameError(`Frames of version ${version} are not known here.`);
  if (length > MAX_FRAME_BYTES) throw new BrokenFrameError(`A frame of ${length} bytes is too long.`);
}

function parseBody(kind: number | undefined, body: Buffer): Frame {
  if (kind === KIND.output && body.byteLength >= OUTPUT_HEADER_BYTES) {
    const bytes = body.subarray(OUTPUT_HEADER_BYTES);
    return { kind: "output", stream: body.readUInt32BE(0), position: body.readDoubleBE(4), bytes };
  }
  if (kind === KIND.message && body.byteLength >= 4) {
    const jsonEnd = 4 + body.readUInt32BE(0);
    if (jsonEnd <= body.byteLength) {
      return { kind: "message", json: body.toString("utf8", 4, jsonEnd), bytes: body.subarray(jsonEnd) };
    }
  }
  throw new BrokenFrameError(`A frame of kind ${kind} with ${body.byteLength} bytes cannot be read.`);
}
