import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { BrokenFrameError, encodeMessage, encodeOutput, type Frame, FrameReader, MAX_FRAME_BYTES } from "./frames.ts";

function readAll(chunks: Buffer[]): Frame[] {
  const frames: Frame[] = [];
  const reader = new FrameReader((frame) => {
    const last = frames.at(-1);
    const isMore =
      frame.kind === "output" &&
      last?.kind === "output" &&
      last.stream === frame.stream &&
      last.position + last.bytes.byteLength === frame.position;
    if (isMore) last.bytes = Buffer.concat([last.bytes, frame.bytes]);
    else frames.push(frame);
  });
  for (const chunk of chunks) reader.push(chunk);
  return frames;
}

const frame = fc.oneof(
  fc.record({ kind: fc.constant("message" as const), json: fc.string({ unit: "grapheme" }), bytes: fc.uint8Array() }),
  fc.record({
    kind: fc.constant("output" as const),
    stream: fc.integer({ min: 0, max: 0xffff_ffff }),
    position: fc.nat(2 ** 52),
    bytes: fc.uint8Array({ minLength: 1, maxLength: 300 }),
  }),
);

describe("G6 frames", () => {
  it("G6 survive a round trip in chunks of any size", () => {
    fc.assert(
      fc.property(fc.array(frame), fc.array(fc.integer({ min: 1, max: 50 })), (frames, cuts) => {
        const wire = Buffer.concat(
          frames.flatMap((one) => [
            one.kind === "message"
              ? encodeMessage(one.json, one.bytes.byteLength)
              : encodeOutput(one.stream, one.position, one.bytes.byteLength),
            one.bytes,
          ]),
        );
        const chunks: Buffer[] = [];
        for (let at = 0, turn = 0; at < wire.byteLength; turn++) {
          const length = cuts[turn % Math.max(1, cuts.length)] ?? 7;
          chunks.push(wire.subarray(at, at + length));
          at += length;
        }

        expect(readAll(chunks)).toEqual(frames.map((one) => ({ ...one, bytes: Buffer.from(one.bytes) })));
      }),
    );
  });

  it("G6 that are too long are refused on both sides, before they are buffered", () => {
    const header = Buffer.alloc(6);
    header.writeUInt32BE(MAX_FRAME_BYTES + 1, 0);
    header[4] = 1;

    expect(() => readAll([header])).toThrow(BrokenFrameError);
    expect(() => encodeMessage("{}", MAX_FRAME_BYTES)).toThrow(BrokenFrameError);
  });

  it("G6 any bytes give frames or our own error", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        try {
          readAll([Buffer.from(bytes)]);
        } catch (error) {
          expect(error).toBeInstanceOf(BrokenFrameError);
        }
      }),
    );
  });
});
