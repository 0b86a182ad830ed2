import { decodeServerFrame } from "@belay/protocol";
import { expect, test } from "vitest";
import { OutputFrames } from "./output-frames.ts";

const big = (fill: number) => new Uint8Array(8 * 1024).fill(fill);

test("B8 viewers at the same position share one frame, and others get their own", () => {
  const frames = new OutputFrames();

  const first = frames.take({ channel: 1, position: 10, bytes: big(1) });
  const second = frames.take({ channel: 1, position: 10, bytes: big(1) });
  const other = frames.take({ channel: 2, position: 10, bytes: big(2) });

  expect(second.message).toBe(first.message);
  expect(decodeServerFrame(first.message)).toEqual({ type: "output", channel: 1, position: 10, bytes: big(1) });
  expect(decodeServerFrame(other.message)).toEqual({ type: "output", channel: 2, position: 10, bytes: big(2) });
});

test("B8 a frame that is still being sent is never overwritten", () => {
  const frames = new OutputFrames();
  const slow = frames.take({ channel: 1, position: 0, bytes: big(7) });

  for (let position = 1; position < 200; position += 1) {
    frames.take({ channel: 1, position, bytes: big(position) }).release();
  }

  expect(decodeServerFrame(slow.message)).toEqual({ type: "output", channel: 1, position: 0, bytes: big(7) });
});

test("B8 buffers are reused once all viewers have sent them", () => {
  const frames = new OutputFrames();
  const buffers = new Set<ArrayBufferLike>();

  for (let position = 0; position < 200; position += 1) {
    const frame = frames.take({ channel: 1, position, bytes: big(position) });
    buffers.add(frame.message.buffer);
    frame.release();
  }

  expect(buffers.size).toBeLessThan(40);
});
