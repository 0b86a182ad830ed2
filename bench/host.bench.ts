import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { hostEndpoint, launchHost, openRemoteHost, PROTOCOL, shellRequest, type TerminalHost } from "@belay/core";
import type { TerminalId } from "@belay/protocol";
import { report, spawnPlain, writeLog } from "./core-fixtures.ts";
import { plainEchoes, poolEchoes } from "./harness/echo-times.ts";
import { inTurns, median, percentile } from "./harness/measure.ts";

/**
 * What it costs to keep terminals in a separate process: the measurements of
 * core.bench.ts, through the socket, with recordings and screens as in real use.
 */
const MEGABYTES = 30;
const HOST_PROGRAM = new URL("../apps/agent-gateway/dist/pty-host.js", import.meta.url);

const folder = mkdtempSync(join(tmpdir(), "belay-bench-"));
const dataDir = join(folder, "data");
mkdirSync(dataDir, { mode: 0o700 });
const baseEnv = { PATH: process.env.PATH ?? "", HOME: folder, LANG: "C.UTF-8" };
const log = join(folder, "log");
writeLog(log, MEGABYTES);
const host: TerminalHost = await openRemoteHost({
  endpoint: hostEndpoint(dataDir),
  protocol: PROTOCOL,
  program: "bench",
  surroundings: { baseEnv, trashDir: null, home: folder },
  launch: () => launchHost({ dataDir, entry: HOST_PROGRAM, env: baseEnv }),
  now: () => Date.now(),
  onProblem: (error) => console.error(error),
});
try {
  await compareThroughput();
  await compareEcho();
  await compareFlood();
} finally {
  await host.close();
  rmSync(folder, { recursive: true, force: true });
}

async function spawn(argv: string[]): Promise<TerminalId> {
  return (await host.terminals.spawn(shellRequest(folder, { program: { type: "argv", argv } }))).id;
}

async function compareThroughput(): Promise<void> {
  const speeds = await inTurns(5, { plain: drainPlain, one: () => drainHost(1), ten: () => drainHost(10) });
  const [plain, one, ten] = [median(speeds.plain), median(speeds.one), median(speeds.ten)];
  const shown = (speed: number) => `${speed.toFixed(0)} MB/s`;
  report("output through the host, 1 viewer, against node-pty alone", shown(one), one / plain, "≥ 0.70");
  report("output through the host, 10 viewers, slowest against 1", shown(ten), ten / one, "≥ 0.80");
}

/** Megabytes a second that were really delivered: skipped bytes do not count. */
function speedOf(bytes: number, elapsedMs: number): number {
  return bytes / 1e6 / (elapsedMs / 1000);
}

function drainPlain(): Promise<number> {
  return new Promise((resolve) => {
    let first = 0;
    let last = 0;
    let bytes = 0;
    const pty = spawnPlain("/bin/cat", [log]);
    pty.onData((data) => {
      last = performance.now();
      first ||= last;
      bytes += data.byteLength;
    });
    pty.onExit(() => resolve(speedOf(bytes, last - first)));
  });
}

async function drainHost(viewers: number): Promise<number> {
  const id = await spawn(["cat", log]);
  const taken = await Promise.all(
    Array.from(
      { length: viewers },
      () =>
        new Promise<number>((resolve) => {
          let first = 0;
          let last = 0;
          let bytes = 0;
          host.terminals.follow(id, 0, {
            onOutput: (slice) => {
              last = performance.now();
              first ||= last;
              bytes += slice.bytes.byteLength;
            },
            onGap: () => {},
            onEnd: () => resolve(speedOf(bytes, last - first)),
          });
        }),
    ),
  );
  return Math.min(...taken);
}

async function compareEcho(): Promise<void> {
  const id = await spawn(["cat"]);
  const plain: number[] = [];
  const idle: number[] = [];
  for (let round = 0; round < 5; round++) {
    plain.push(...(await plainEchoes(60)));
    idle.push(...(await poolEchoes(host.terminals, id, 60)));
  }
  const flood = await spawn(["sh", "-c", `while :; do cat ${log}; done`]);
  const following = host.terminals.follow(flood, 0, { onOutput: () => {}, onGap: () => {}, onEnd: () => {} });
  const busy = await poolEchoes(host.terminals, id, 300);
  following.stop();
  await host.terminals.kill(flood, { reason: "killed" });

  const micro = (values: number[], share: number) => `${(percentile(values, share) * 1000).toFixed(0)} µs`;
  const ratio = (a: number[], b: number[], share: number) => percentile(a, share) / percentile(b, share);
  report("keystroke echo p50 through the host, against node-pty alone", micro(idle, 0.5), ratio(idle, plain, 0.5), "");
  report("keystroke echo p99 beside a flood, against idle p99", micro(busy, 0.99), ratio(busy, idle, 0.99), "≤ 3");
}

/** Ten terminals that flood, and one that does not: how long its commands take. */
async function compareFlood(): Promise<void> {
  const id = await spawn(["cat"]);
  const quiet = await poolEchoes(host.terminals, id, 200);
  const floods = await Promise.all(
    Array.from({ length: 10 }, () => spawn(["sh", "-c", `while :; do cat ${log}; done`])),
  );
  const bytes = floods.map(() => 0);
  for (const [at, flood] of floods.entries()) {
    host.terminals.follow(flood, 0, {
      onOutput: (slice) => {
        bytes[at] = (bytes[at] ?? 0) + slice.bytes.byteLength;
      },
      onGap: () => {},
      onEnd: () => {},
    });
  }
  const busy = await poolEchoes(host.terminals, id, 200);
  const shares = [...bytes];
  await Promise.all(floods.map((flood) => host.terminals.kill(flood, { reason: "killed" })));

  const [p50, quietP50] = [percentile(busy, 0.5), percentile(quiet, 0.5)];
  report("echo p50 beside ten floods, against idle p50", `${(p50 * 1000).toFixed(0)} µs`, p50 / quietP50, "");
  const fairness = Math.min(...shares) / Math.max(...shares);
  report("ten floods: the least served against the most", `${(Math.min(...shares) / 1e6).toFixed(0)} MB`, fairness, "");
}
