/**
 * The binary frames of `belay.v1` (WIRE-30 … WIRE-39).
 *
 * A channel is a number that the gateway gives to a terminal, the same for every
 * viewer, so that a frame is encoded once for all of them. Positions are absolute
 * byte offsets into the terminal's output, as unsigned 64-bit big-endian numbers.
 */
export const SUBPROTOCOL = "belay.v1";
export const FRAME_TYPES = { input: 0x01, ack: 0x02, output: 0x10, snapshot: 0x11, gap: 0x12 } as const;

/** The largest payload of one output frame. */
export const MAX_OUTPUT_PAYLOAD_BYTES = 64 * 1024;
/** The largest message from a client, header included. */
export const MAX_CLIENT_MESSAGE_BYTES = 64 * 1024;
/** How many bytes a viewer may leave unacknowledged before the gateway stops sending to it. */
export const VIEWER_WINDOW_BYTES = 256 * 1024;

export type ClientBinaryFrame =
  | { type: "input"; channel: number; bytes: Uint8Array }
  | { type: "ack"; channel: number; position: number };

export type ServerBinaryFrame =
  | { type: "output"; channel: number; position: number; bytes: Uint8Array }
  /** Escape sequences that paint the whole terminal as it was at `position`, into an emulator of this size. */
  | { type: "snapshot"; channel: number; position: number; cols: number; rows: number; bytes: Uint8Array }
  /** The bytes from `from` up to `to` are no longer available. */
  | { type: "gap"; channel: number; from: number; to: number };

/** A malformed frame. The socket that sent it is closed with `CLOSE_CODES.badFrame`. */
export class FrameError extends Error {
  override readonly name = "FrameError";
}

const CHANNEL_AT = 1;
const POSITION_AT = 5;
const HEADER_BYTES = 5;

export function encodeClientFrame(frame: ClientBinaryFrame): Uint8Array<ArrayBuffer> {
  switch (frame.type) {
    case "input": {
      const { message } = open(FRAME_TYPES.input, frame.channel, HEADER_BYTES + frame.bytes.byteLength);
      message.set(frame.bytes, HEADER_BYTES);
      return message;
    }
    case "ack": {
      const { message, view } = open(FRAME_TYPES.ack, frame.channel, 13);
      writePosition(view, POSITION_AT, frame.position);
      return message;
    }
  }
}

export function decodeClientFrame(message: Uint8Array): ClientBinaryFrame {
  const view = viewOf(message);
  const channel = readChannel(view);
  switch (view.getUint8(0)) {
    case FRAME_TYPES.input:
      return { type: "input", channel, bytes: message.subarray(HEADER_BYTES) };
    case FRAME_TYPES.ack:
      expectLength(view, 13);
      return { type: "ack", channel, position: readPosition(view, POSITION_AT) };
    default:
      throw new FrameError(`Unknown client frame type 0x${view.getUint8(0).toString(16)}.`);
  }
}

export function encodeServerFrame(frame: ServerBinaryFrame): Uint8Array<ArrayBuffer> {
  switch (frame.type) {
    case "output":
      return writeOutputFrame(new Uint8Array(OUTPUT_FRAME_HEADER_BYTES + frame.bytes.byteLength), frame);
    case "snapshot": {
      const { message, view } = open(FRAME_TYPES.snapshot, frame.channel, 17 + frame.bytes.byteLength);
      writePosition(view, POSITION_AT, frame.position);
      view.setUint16(13, frame.cols);
      view.setUint16(15, frame.rows);
      message.set(frame.bytes, 17);
      return message;
    }
    case "gap": {
      const { message, view } = open(FRAME_TYPES.gap, frame.channel, 21);
      writePosition(view, POSITION_AT, frame.from);
      writePosition(view, 13, frame.to);
      return message;
    }
  }
}

/** The size of an output frame's header. */
export const OUTPUT_FRAME_HEADER_BYTES = 13;

/** Writes an output frame into a buffer that has room for it, and returns the part that it occupies. */
export function writeOutputFrame(
  target: Uint8Array<ArrayBuffer>,
  { channel, position, bytes }: { channel: number; position: number; bytes: Uint8Array },
): Uint8Array<ArrayBuffer> {
  const view = new DataView(target.buffer, target.byteOffset, OUTPUT_FRAME_HEADER_BYTES);
  view.setUint8(0, FRAME_TYPES.output);
  view.setUint32(1, channel);
  writePosition(view, POSITION_AT, position);
  target.set(bytes, OUTPUT_FRAME_HEADER_BYTES);
  return target.subarray(0, OUTPUT_FRAME_HEADER_BYTES + bytes.byteLength);
}

export function decodeServerFrame(message: Uint8Array): ServerBinaryFrame {
  const view = viewOf(message);
  const channel = readChannel(view);
  switch (view.getUint8(0)) {
    case FRAME_TYPES.output:
      expectAtLeast(view, 13);
      return { type: "output", channel, position: readPosition(view, POSITION_AT), bytes: message.subarray(13) };
    case FRAME_TYPES.snapshot:
      expectAtLeast(view, 17);
      return {
        type: "snapshot",
        channel,
        position: readPosition(view, POSITION_AT),
        cols: view.getUint16(13),
        rows: view.getUint16(15),
        bytes: message.subarray(17),
      };
    case FRAME_TYPES.gap: {
      expectLength(view, 21);
      const from = readPosition(view, POSITION_AT);
      const to = readPosition(view, 13);
      if (to < from) throw new FrameError(`A gap ends (${to}) before it begins (${from}).`);
      return { type: "gap", channel, from, to };
    }
    default:
      throw new FrameError(`Unknown server frame type 0x${view.getUint8(0).toString(16)}.`);
  }
}

function open(type: number, channel: number, byteLength: number) {
  const message = new Uint8Array(byteLength);
  const view = new DataView(message.buffer);
  view.setUint8(0, type);
  view.setUint32(CHANNEL_AT, channel);
  return { message, view };
}

function viewOf(message: Uint8Array): DataView {
  return new DataView(message.buffer, message.byteOffset, message.byteLength);
}

function readChannel(view: DataView): number {
  expectAtLeast(view, HEADER_BYTES);
  return view.getUint32(CHANNEL_AT);
}

function expectLength(view: DataView, byteLength: number): void {
  if (view.byteLength !== byteLength) {
    throw new FrameError(`A frame of ${view.byteLength} bytes; this type has ${byteLength}.`);
  }
}

function expectAtLeast(view: DataView, byteLength: number): void {
  if (view.byteLength < byteLength) {
    throw new FrameError(`A frame of ${view.byteLength} bytes; this type has at least ${byteLength}.`);
  }
}

// Two 32-bit halves instead of a BigInt, which would allocate for each frame. No terminal prints 2^53 bytes.
function writePosition(view: DataView, at: number, position: number): void {
  view.setUint32(at, Math.floor(position / 2 ** 32));
  view.setUint32(at + 4, position % 2 ** 32);
}

function readPosition(view: DataView, at: number): number {
  const position = view.getUint32(at) * 2 ** 32 + view.getUint32(at + 4);
  if (!Number.isSafeInteger(position)) throw new FrameError("A position beyond 2^53 - 1.");
  return position;
}
