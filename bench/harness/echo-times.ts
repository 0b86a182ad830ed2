import { performance } from "node:perf_hooks";
import type { TerminalPool } from "@belay/core";
import type { TerminalId } from "@belay/protocol";
import { spawnPlain } from "../core-fixtures.ts";

/** How long each key took to come back from `cat` under plain node-pty. */
export async function plainEchoes(count: number): Promise<number[]> {
  const pty = spawnPlain("/bin/cat", []);
  let heard = () => {};
  pty.onData(() => heard());
  const times = await echoes(
    count,
    (key) => pty.write(key),
    (listener) => {
      heard = listener;
    },
  );
  pty.kill();
  return times;
}

/** The same from a terminal that runs `cat`. */
export async function poolEchoes(pool: TerminalPool, id: TerminalId, count: number): Promise<number[]> {
  let heard = () => {};
  const { position } = await pool.get(id);
  const follower = pool.follow(id, position, { onOutput: () => heard(), onGap: () => {}, onEnd: () => {} });
  const times = await echoes(
    count,
    (key) => void pool.write(id, key),
    (listener) => {
      heard = listener;
    },
  );
  follower.stop();
  return times;
}

async function echoes(
  count: number,
  type: (key: string) => void,
  listen: (heard: () => void) => void,
): Promise<number[]> {
  const times: number[] = [];
  for (let at = 0; at < count; at++) {
    // As far apart as fast typing; an occasional line end keeps the line short.
    await new Promise((resolve) => setTimeout(resolve, 6));
    const heard = new Promise<void>((resolve) => listen(resolve));
    const start = performance.now();
    type(at % 50 === 49 ? "\n" : "x");
    await heard;
    times.push(performance.now() - start);
  }
  return times;
}
