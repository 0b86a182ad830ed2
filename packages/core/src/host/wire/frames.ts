/**
 * The frames between the gateway and the host.
 *
 *     length u32 | version u8 | kind u8 | body
 *
 * A `message` is JSON with bytes attached: `jsonLength u32 | json | bytes`.
 * `output` is terminal output: `stream u32 | position f64 | bytes`, without
 * JSON. Numbers are big-endian; `length` counts the body.
 */
export const FRAME_VERSION = 1;
export const MAX_FRAME_BYTES = 16 * 1024 * 1024;

const HEADER_BYTES = 6;
const OUTPUT_HEADER_BYTES = 12;
const KIND = { message: 1, output: 2 } as const;

export type Frame =
  | { kind: "message"; json: string; bytes: Buffer }
  | { kind: "output"; stream: number; position: number; bytes: Buffer };

/** The other side sent something invalid, or too much at once. The connection has to be closed. */
export class BrokenFrameError extends Error {
  override readonly name = "BrokenFrameError";
}

/** The header before the attached bytes, which follow unchanged. */
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

/** The header before the bytes of output, which follow unchanged. */
export function encodeOutput(stream: number, position: number, outputBytes: number): Buffer {
  const frame = Buffer.allocUnsafe(HEADER_BYTES + OUTPUT_HEADER_BYTES);
  writeHeader(frame, OUTPUT_HEADER_BYTES + outputBytes, KIND.output);
  frame.writeUInt32BE(stream, HEADER_BYTES);
  frame.writeDoubleBE(position, HEADER_BYTES + 4);
  return frame;
}

/**
 * Reassembles frames from the chunks of a socket.
 *
 * Output is passed on as it arrives, in any number of pieces, and is valid only until the receiver returns: it is
 * a stream anyway, and reassembling a frame would copy every byte. Messages own their bytes.
 */
export class FrameReader {
  readonly #onFrame: (frame: Frame) => void;
  /** The beginning of an incomplete frame. */
  #begun: { buffer: Buffer; filled: number } | null = null;
  /** The output frame that is being read: the position of its next byte, and how many are missing. */
  #output: { stream: number; position: number; missing: number } | null = null;

  constructor(onFrame: (frame: Frame) => void) {
    this.#onFrame = onFrame;
  }

  push(chunk: Buffer): void {
    for (let rest = chunk; rest.byteLength > 0; ) rest = rest.subarray(this.#read(rest));
  }

  /** Consumes some of these bytes, and returns how many. */
  #read(bytes: Buffer): number {
    if (this.#output) return this.#passOn(this.#output, bytes);
    if (this.#begun) return this.#complete(this.#begun, bytes);
    const needed = bytesNeeded(bytes);
    if (bytes.byteLength >= needed) {
      this.#take(bytes.subarray(0, needed));
      return needed;
    }
    const buffer = Buffer.allocUnsafe(needed);
    bytes.copy(buffer);
    this.#begun = { buffer, filled: bytes.byteLength };
    return bytes.byteLength;
  }

  #complete(begun: { buffer: Buffer; filled: number }, bytes: Buffer): number {
    const copied = bytes.copy(begun.buffer, begun.filled);
    begun.filled += copied;
    if (begun.filled < begun.buffer.byteLength) return copied;
    const needed = bytesNeeded(begun.buffer);
    if (needed > begun.filled) {
      // Only the header was there; now the length of the frame is known.
      const buffer = Buffer.allocUnsafe(needed);
      begun.buffer.copy(buffer);
      begun.buffer = buffer;
      return copied;
    }
    this.#begun = null;
    this.#take(begun.buffer);
    return copied;
  }

  #passOn(output: { stream: number; position: number; missing: number }, bytes: Buffer): number {
    const piece = bytes.subarray(0, output.missing);
    const { stream, position } = output;
    output.position += piece.byteLength;
    output.missing -= piece.byteLength;
    if (output.missing === 0) this.#output = null;
    this.#onFrame({ kind: "output", stream, position, bytes: piece });
    return piece.byteLength;
  }

  /** A whole message, or the header of an output frame. */
  #take(frame: Buffer): void {
    const length = frame.readUInt32BE(0);
    const body = frame.subarray(HEADER_BYTES);
    if (frame[5] !== KIND.output) {
      this.#onFrame(parseMessage(frame[5], Buffer.from(body)));
      return;
    }
    const missing = length - OUTPUT_HEADER_BYTES;
    if (missing > 0) this.#output = { stream: body.readUInt32BE(0), position: body.readDoubleBE(4), missing };
  }
}

/** How much of a frame is needed before the next step. */
function bytesNeeded(begin: Buffer): number {
  if (begin.byteLength < HEADER_BYTES) return HEADER_BYTES;
  const length = begin.readUInt32BE(0);
  checkHeader(length, begin[4]);
  if (begin[5] !== KIND.output) return HEADER_BYTES + length;
  if (length < OUTPUT_HEADER_BYTES) throw new BrokenFrameError(`Output of ${length} bytes cannot be read.`);
  return HEADER_BYTES + OUTPUT_HEADER_BYTES;
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

function parseMessage(kind: number | undefined, body: Buffer): Frame {
  if (kind === KIND.message && body.byteLength >= 4) {
    const jsonEnd = 4 + body.readUInt32BE(0);
    if (jsonEnd <= body.byteLength) {
      return { kind: "message", json: body.toString("utf8", 4, jsonEnd), bytes: body.subarray(jsonEnd) };
    }
  }
  throw new BrokenFrameError(`A frame of kind ${kind} with ${body.byteLength} bytes cannot be read.`);
}
