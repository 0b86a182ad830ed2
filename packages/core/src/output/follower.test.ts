import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { TerminalOutput } from "./terminal-output.ts";

const NOTHING = { hold: () => {}, release: () => {} };

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function follow(output: TerminalOutput, from: number, take: () => void | Promise<void> = () => {}) {
  const seen: string[] = [];
  const subscription = output.follow(from, {
    onOutput: ({ position, bytes }) => {
      seen.push(`${position} ${Buffer.from(bytes)}`);
      return take();
    },
    onGap: ({ from: begin, to }) => seen.push(`gap ${begin} ${to}`),
    onEnd: ({ position, exitCode }) => seen.push(`end ${position} ${exitCode}`),
  });
  return { seen, stop: subscription.stop };
}

describe("following a terminal", () => {
  it("B8 history comes first, then the first pieces after silence at once, then batches", async () => {
    const output = new TerminalOutput({ maxBytes: 1000, source: NOTHING });
    output.append(Buffer.from("past"));
    const { seen } = follow(output, 0);
    await vi.advanceTimersByTimeAsync(10);

    for (const piece of "abcdefg") output.append(Buffer.from(piece));
    expect(seen).toEqual(["0 past", "4 a", "5 b", "6 c", "7 d"]);
    await vi.advanceTimersByTimeAsync(4);
    expect(seen.slice(5)).toEqual(["8 efg"]);

    await vi.advanceTimersByTimeAsync(4);
    for (const piece of "hi") output.append(Buffer.from(piece));
    expect(seen.slice(6)).toEqual(["11 h", "12 i"]);
  });

  it("B8 output without silence is batched, and so is all but the first of large pieces", async () => {
    const output = new TerminalOutput({ maxBytes: 100_000, source: NOTHING });
    const { seen } = follow(output, 0);
    for (let ms = 0; ms < 40; ms += 1) {
      output.append(Buffer.from("x"));
      await vi.advanceTimersByTimeAsync(1);
    }
    expect(seen.length).toBeLessThan(15);

    await vi.advanceTimersByTimeAsync(10);
    const before = seen.length;
    for (let piece = 0; piece < 4; piece += 1) output.append(Buffer.alloc(2_000, "y"));
    expect(seen.length).toBe(before + 1);
  });

  it("B8 a slow reader is not called again before it is done, and is told what it missed", async () => {
    const output = new TerminalOutput({ maxBytes: 4, source: NOTHING });
    let done = () => {};
    const { seen } = follow(
      output,
      0,
      () =>
        new Promise<void>((resolve) => {
          done = resolve;
        }),
    );
    output.append(Buffer.from("ab"));
    output.append(Buffer.from("cdefgh"));
    await vi.advanceTimersByTimeAsync(10);
    expect(seen).toEqual(["0 ab"]);

    done();
    await vi.advanceTimersByTimeAsync(10);

    expect(seen).toEqual(["0 ab", "gap 2 4", "4 efgh"]);
  });

  it("B8 the end comes after the last byte, also for a late follower", async () => {
    const output = new TerminalOutput({ maxBytes: 100, source: NOTHING });
    const early = follow(output, 0);
    output.append(Buffer.from("x"));
    output.append(Buffer.from("y"));
    output.end(3);
    await vi.advanceTimersByTimeAsync(0);
    const late = follow(output, 1);
    await vi.advanceTimersByTimeAsync(0);

    expect(early.seen).toEqual(["0 x", "1 y", "end 2 3"]);
    expect(late.seen).toEqual(["1 y", "end 2 3"]);
  });

  it("B8 a stopped follower is not called again, and leaves no timer behind", async () => {
    const output = new TerminalOutput({ maxBytes: 100, source: NOTHING });
    const { seen, stop } = follow(output, 0);
    output.append(Buffer.from("x"));
    stop();
    output.append(Buffer.from("y"));
    output.end(0);
    await vi.advanceTimersByTimeAsync(100);

    expect(seen).toEqual(["0 x"]);
    expect(vi.getTimerCount()).toBe(0);
  });
});
