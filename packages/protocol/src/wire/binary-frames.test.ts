import { describe, expect, test } from "vitest";
import {
  type ClientBinaryFrame,
  decodeClientFrame,
  decodeServerFrame,
  encodeClientFrame,
  encodeServerFrame,
  FrameError,
  type ServerBinaryFrame,
} from "./binary-frames.ts";

const bytes = Uint8Array.of(0, 27, 91, 255);
const far = 2 ** 40 + 5;

const clientFrames: ClientBinaryFrame[] = [
  { type: "input", channel: 7, bytes },
  { type: "input", channel: 0, bytes: new Uint8Array() },
  { type: "ack", channel: 0xffffffff, position: far },
];
const serverFrames: ServerBinaryFrame[] = [
  { type: "output", channel: 1, position: 0, bytes },
  { type: "output", channel: 1, position: Number.MAX_SAFE_INTEGER, bytes: new Uint8Array() },
  { type: "snapshot", channel: 2, position: far, cols: 120, rows: 40, bytes },
  { type: "gap", channel: 3, from: 10, to: far },
];

describe("WIRE-30 … WIRE-34 decoding reverses encoding", () => {
  test.each(clientFrames)("client $type", (frame) => {
    expect(decodeClientFrame(encodeClientFrame(frame))).toEqual(frame);
  });
  test.each(serverFrames)("server $type", (frame) => {
    expect(decodeServerFrame(encodeServerFrame(frame))).toEqual(frame);
  });
});

test("WIRE-30 an output frame is 13 bytes of header, big-endian, followed by the unchanged bytes", () => {
  const frame = encodeServerFrame({ type: "output", channel: 258, position: 2 ** 32 + 3, bytes });

  expect([...frame]).toEqual([0x10, 0, 0, 1, 2, 0, 0, 0, 1, 0, 0, 0, 3, 0, 27, 91, 255]);
});

test("WIRE-30 a frame inside a larger buffer is read from its own offset", () => {
  const frame = encodeServerFrame({ type: "output", channel: 1, position: 9, bytes });
  const padded = new Uint8Array(frame.length + 8);
  padded.set(frame, 5);

  expect(decodeServerFrame(padded.subarray(5, 5 + frame.length))).toEqual({
    type: "output",
    channel: 1,
    position: 9,
    bytes,
  });
});

test("WIRE-36 malformed frames are refused", () => {
  const broken: [string, () => unknown][] = [
    ["an empty message", () => decodeClientFrame(new Uint8Array())],
    ["a header that is cut", () => decodeClientFrame(Uint8Array.of(1, 0, 0))],
    ["an unknown type", () => decodeClientFrame(Uint8Array.of(9, 0, 0, 0, 1))],
    [
      "a server frame from a client",
      () => decodeClientFrame(encodeServerFrame({ type: "gap", channel: 1, from: 0, to: 1 })),
    ],
    ["an acknowledgement that is too long", () => decodeClientFrame(Uint8Array.of(2, ...new Array(20).fill(0)))],
    ["an output without a position", () => decodeServerFrame(Uint8Array.of(0x10, 0, 0, 0, 1))],
    ["a position beyond 2^53", () => decodeClientFrame(Uint8Array.of(2, 0, 0, 0, 1, 255, 0, 0, 0, 0, 0, 0, 0))],
    [
      "a gap that ends before it begins",
      () => decodeServerFrame(encodeServerFrame({ type: "gap", channel: 1, from: 5, to: 4 })),
    ],
  ];

  for (const [what, decode] of broken) expect(decode, what).toThrow(FrameError);
});
