import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { FollowedLog } from "./followed-log.ts";

const KB = 1024;

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function openLog() {
  const holds: string[] = [];
  const source = { hold: () => holds.push("hold"), release: () => holds.push("release") };
  return { holds, log: new FollowedLog({ maxBytes: 1024 * KB, source }) };
}

/** A reader that takes a chunk on demand. */
function follow(log: FollowedLog) {
  let take = () => {};
  let missedBytes = 0;
  const subscription = log.follow(log.log.endPosition, {
    onOutput: () =>
      new Promise<void>((resolve) => {
        take = resolve;
      }),
    onGap: ({ from, to }) => {
      missedBytes += to - from;
    },
    onEnd: () => {},
  });
  return {
    take: async () => {
      take();
      await vi.advanceTimersByTimeAsync(0);
    },
    stop: subscription.stop,
    missedBytes: () => missedBytes,
  };
}

async function print(log: FollowedLog, kilobytes: number): Promise<void> {
  log.append(Buffer.alloc(kilobytes * KB));
  await vi.advanceTimersByTimeAsync(0);
}

describe("the pace of an output", () => {
  it("B8 waits for a reader that keeps up, and resumes when it has caught up", async () => {
    const { log, holds } = openLog();
    const reader = follow(log);
    await print(log, 64);
    expect(holds).toEqual([]);
    await print(log, 128);
    expect(holds).toEqual(["hold"]);

    await reader.take();
    await reader.take();

    expect(holds).toEqual(["hold", "release"]);
    expect(reader.missedBytes()).toBe(0);
  });

  it("B8 waits for the fastest reader, not for a slow one beside it", async () => {
    const { log, holds } = openLog();
    const slow = follow(log);
    const fast = follow(log);
    for (let at = 0; at < 40; at += 1) {
      await print(log, 64);
      await fast.take();
    }

    expect(holds.filter((act) => act === "hold")).toHaveLength(holds.filter((act) => act === "release").length);
    expect(fast.missedBytes()).toBe(0);
    await slow.take();
    expect(slow.missedBytes()).toBeGreaterThan(0);
  });

  it("B8 stops waiting for a stalled reader until it has caught up", async () => {
    const { log, holds } = openLog();
    const reader = follow(log);
    await print(log, 64);
    await print(log, 128);
    await vi.advanceTimersByTimeAsync(100);
    expect(holds).toEqual(["hold", "release"]);
    await print(log, 64);
    expect(holds).toEqual(["hold", "release"]);

    for (let at = 0; at < 4; at += 1) await reader.take();
    await print(log, 64);
    await print(log, 128);

    expect(holds).toEqual(["hold", "release", "hold"]);
  });

  it("B8 resumes when its last reader leaves, and when it ends", async () => {
    for (const end of ["leaves", "ends"] as const) {
      const { log, holds } = openLog();
      const reader = follow(log);
      await print(log, 64);
      await print(log, 128);
      if (end === "leaves") reader.stop();
      else log.end(0);

      expect(holds).toEqual(["hold", "release"]);
    }
  });
});
