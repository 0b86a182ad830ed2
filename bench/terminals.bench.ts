import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { spawnPlain, writeLog } from "./core-fixtures.ts";
import { type BelayServer, startBelay } from "./harness/belay.ts";
import { echoTimes, flood, kilobytesAfterInterrupt, untilReady } from "./harness/flood.ts";
import { inTurns, median, percentile } from "./harness/measure.ts";
import { cpuSeconds, memoryMegabytes } from "./harness/processes.ts";
import { addRow } from "./harness/report.ts";
import type { Session, Target, Watcher } from "./harness/target.ts";
import { startPlain } from "./peers/plain.ts";
import { startTtyd } from "./peers/ttyd.ts";
import { startWetty } from "./peers/wetty.ts";

// The whole byte path, from a program's output to a viewer's socket, through the real gateway, host and WebSocket,
// in turns with plain servers and, where they are installed, ttyd and wetty. Ratios of one run; medians of several rounds.
const MEGABYTES = 50;
const SMALL_MEGABYTES = 15;
const ROUNDS = 5;
/** Single floods of 15 MB differ by a quarter, so a ratio of two medians needs more of them. */
const SMALL_ROUNDS = 11;
const SLOW_BYTES_PER_SECOND = 1e6;

const folder = mkdtempSync(join(tmpdir(), "belay-bench-"));
const log = join(folder, "log");
const small = join(folder, "small");
writeLog(log, MEGABYTES);
writeLog(small, SMALL_MEGABYTES);

const belay = await startBelay();
const ttyd = await startTtyd();
const installed = [ttyd, await startWetty()].filter((target) => target !== null);
const peers: Target[] = [await startPlain("binary"), await startPlain("json"), ...installed];
const all: Target[] = [belay, ...peers];
const parts = { throughput, viewers, terminals, echo, interrupt, stalled, slow, attach };
try {
  // All of them, or those that are named: `tsx bench/terminals.bench.ts echo attach`.
  const named = process.argv.slice(2);
  for (const [name, measure] of Object.entries(parts)) if (named.length === 0 || named.includes(name)) await measure();
} finally {
  await Promise.all(all.map((target) => target.close()));
  rmSync(folder, { recursive: true, force: true });
}

/** One terminal, one viewer: bytes a second, CPU, and whether anything was missed. */
async function throughput(): Promise<void> {
  const cpu: Record<string, number[]> = {};
  const missed: number[] = [];
  const measure = (target: Target) => async () => {
    const before = cpuSeconds(target.pids());
    const session = await ready(target);
    const [result] = await flood(session, log, [session]);
    await session.close();
    add(cpu, target.name, cpuSeconds(target.pids()) - before);
    if (target === belay) missed.push((result?.missedBytes ?? 0) / (MEGABYTES * 1e6));
    return speed(result?.bytes ?? 0, result?.seconds ?? 1);
  };
  const candidates: Record<string, () => Promise<number>> = { drain: drainPlain };
  for (const target of all) candidates[target.name] = measure(target);
  // Servers run for days: what they do while they compile their own code does not count.
  for (const target of all) await measure(target)();
  for (const name of Object.keys(cpu)) cpu[name] = [];
  const speeds = await inTurns(ROUNDS, candidates);
  const mine = median(speeds.Belay ?? []);
  const shown = Object.fromEntries(
    Object.entries(speeds)
      .filter(([name]) => name !== "Belay")
      .map(([name, values]) => [name, `${median(values).toFixed(1)} MB/s`]),
  );
  const measured = `${mine.toFixed(1)} MB/s ${spread(speeds.Belay ?? [])}`;
  const against = (name: string) => mine / median(speeds[name] ?? []);
  addRow({
    what: `${MEGABYTES} MB of log lines, 1 viewer, against node-pty alone`,
    measured,
    value: against("drain"),
    goal: { atLeast: 0.7 },
    peers: shown,
  });
  if (ttyd)
    addRow({ what: "the same, against ttyd", measured, value: against("ttyd"), goal: { atLeast: 1 }, peers: shown });
  const cpuOf = (name: string) => median(cpu[name] ?? []);
  addRow({
    what: "CPU seconds for that, all processes",
    measured: `${cpuOf("Belay").toFixed(2)} s`,
    value: cpuOf("Belay"),
    goal: { atMost: 1 },
    peers: Object.fromEntries(peers.map(({ name }) => [name, `${cpuOf(name).toFixed(2)} s`])),
  });
  addRow({
    what: "share of the bytes that a viewer that keeps up missed",
    measured: `${(median(missed) * 100).toFixed(1)} %`,
    value: Math.max(...missed),
    goal: { atMost: 0 },
    peers: {},
  });
}

/** Ten viewers of one terminal: the slowest of them against a single one. */
async function viewers(): Promise<void> {
  const measure = (target: Target, viewers: number) => async () => {
    const session = await ready(target);
    const others: Watcher[] = [];
    for (let at = 1; at < viewers; at += 1) {
      const watcher = await session.watch();
      if (watcher) others.push(watcher);
    }
    const results = await flood(session, small, [session, ...others]);
    for (const other of others) other.close();
    await session.close();
    return Math.min(...results.map(({ bytes, seconds }) => speed(bytes, seconds)));
  };
  const speeds = await inTurns(3, {
    one: measure(belay, 1),
    ten: measure(belay, 10),
    "plain binary": measure(peers[0] as Target, 10),
    "plain json": measure(peers[1] as Target, 10),
  });
  const ten = median(speeds.ten);
  addRow({
    what: "10 viewers of one terminal, slowest against 1 viewer",
    measured: `${ten.toFixed(1)} MB/s ${spread(speeds.ten)}`,
    value: ten / median(speeds.one),
    goal: { atLeast: 0.8 },
    peers: {
      "plain binary": `${median(speeds["plain binary"]).toFixed(1)} MB/s`,
      "plain json": `${median(speeds["plain json"]).toFixed(1)} MB/s`,
    },
  });
}

/** Ten terminals at once, each with its viewer. */
async function terminals(): Promise<void> {
  const cpu: Record<string, number[]> = {};
  const measure = (target: Target) => async () => {
    const sessions = await Promise.all(Array.from({ length: 10 }, () => ready(target)));
    const before = cpuSeconds(target.pids());
    const startedAt = performance.now();
    const results = await Promise.all(sessions.map((session) => flood(session, small, [session])));
    const seconds = (performance.now() - startedAt) / 1000;
    add(cpu, target.name, cpuSeconds(target.pids()) - before);
    await Promise.all(sessions.map((session) => session.close()));
    return speed(
      results.flat().reduce((sum, { bytes }) => sum + bytes, 0),
      seconds,
    );
  };
  const speeds = await inTurns(3, Object.fromEntries(all.map((target) => [target.name, measure(target)])));
  const mine = median(speeds.Belay ?? []);
  const reference = ttyd ? "ttyd" : "plain binary";
  addRow({
    what: `10 terminals with a viewer each, total, against ${reference}`,
    measured: `${mine.toFixed(1)} MB/s ${spread(speeds.Belay ?? [])}`,
    value: mine / median(speeds[reference] ?? []),
    goal: { atLeast: 1 },
    peers: Object.fromEntries(peers.map(({ name }) => [name, `${median(speeds[name] ?? []).toFixed(1)} MB/s`])),
  });
  addRow({
    what: `CPU seconds for that, against ${reference}`,
    measured: `${median(cpu.Belay ?? []).toFixed(2)} s`,
    value: median(cpu.Belay ?? []) / median(cpu[reference] ?? []),
    goal: { atMost: 2 },
    peers: Object.fromEntries(peers.map(({ name }) => [name, `${median(cpu[name] ?? []).toFixed(2)} s`])),
  });
}

/** A key and its echo: on an idle server, beside one flood, and beside ten. */
async function echo(): Promise<void> {
  const idle: Record<string, number[]> = {};
  const sessions = new Map<Target, Session>();
  for (const target of all) {
    const session = await ready(target);
    sessions.set(target, session);
    await echoTimes(session, 100);
  }
  for (let round = 0; round < 3; round += 1) {
    for (const target of all) add(idle, target.name, ...(await echoTimes(sessions.get(target) as Session, 100)));
  }
  const mine = idle.Belay ?? [];
  const shown = (share: number) =>
    Object.fromEntries(peers.map(({ name }) => [name, milliseconds(percentile(idle[name] ?? [], share))]));
  addRow({
    what: "keystroke echo p50, idle, against the plain binary server",
    measured: milliseconds(median(mine)),
    value: median(mine) / median(idle["plain binary"] ?? []),
    goal: { atMost: 1.5 },
    peers: shown(0.5),
  });
  const beside = async (target: Target, floods: number) => {
    const noisy = await Promise.all(Array.from({ length: floods }, () => ready(target)));
    for (const session of noisy) session.type(`while :; do cat ${small}; done\n`);
    const times = await echoTimes(sessions.get(target) as Session, 200);
    await Promise.all(noisy.map((session) => session.close()));
    return percentile(times, 0.99);
  };
  const peersBeside = async (floods: number) => {
    const shown: Record<string, string> = {};
    for (const peer of peers) shown[peer.name] = milliseconds(await beside(peer, floods));
    return shown;
  };
  const idleP99 = percentile(mine, 0.99);
  const one = await beside(belay, 1);
  addRow({
    what: "keystroke echo p99 beside one flood, against idle p99",
    measured: milliseconds(one),
    value: one / idleP99,
    goal: { atMost: 3 },
    peers: { idle: milliseconds(idleP99), ...(await peersBeside(1)) },
  });
  const ten = await beside(belay, 10);
  addRow({
    what: "keystroke echo p99 beside ten floods, ms",
    measured: milliseconds(ten),
    value: ten,
    goal: { atMost: 10 },
    peers: await peersBeside(10),
  });
  for (const session of sessions.values()) await session.close();
}

/** Ctrl-C in a flood: what a viewer that shows 10 MB a second still gets afterwards. */
async function interrupt(): Promise<void> {
  const kilobytes: number[] = [];
  for (let round = 0; round < 3; round += 1) {
    const session = await ready(belay);
    kilobytes.push(await kilobytesAfterInterrupt(session, small));
    await session.close();
  }
  addRow({
    what: "Ctrl-C in a flood: KB that still arrive",
    measured: `${median(kilobytes).toFixed(0)} KB`,
    value: median(kilobytes),
    goal: { atMost: 512 },
    peers: {},
  });
}

/** A viewer that stops reading must cost neither memory nor the others' speed. */
async function stalled(): Promise<void> {
  const session = await ready(belay);
  const stalled = await session.watch();
  stalled?.stall();
  const before = memoryMegabytes(belay.gatewayPid);
  await flood(session, log, [session]);
  const growth = memoryMegabytes(belay.gatewayPid) - before;
  stalled?.close();
  await session.close();
  addRow({
    what: `a stalled viewer during ${MEGABYTES} MB: growth of the gateway, MB`,
    measured: `${growth.toFixed(1)} MB`,
    value: growth,
    goal: { atMost: 10 },
    peers: {},
  });
}

/** A viewer with a slow connection must not slow down the others. */
async function slow(): Promise<void> {
  const measure = (isBesideSlow: boolean) => async () => {
    const session = await ready(belay);
    const other = isBesideSlow ? await session.watch() : null;
    other?.slowTo(SLOW_BYTES_PER_SECOND);
    const [result] = await flood(session, small, [session]);
    other?.close();
    await session.close();
    return speed(result?.bytes ?? 0, result?.seconds ?? 1);
  };
  const speeds = await inTurns(SMALL_ROUNDS, { alone: measure(false), beside: measure(true) });
  addRow({
    what: "a viewer beside one that takes 1 MB a second, against alone",
    measured: `${median(speeds.beside).toFixed(1)} MB/s ${spread(speeds.beside)}`,
    value: median(speeds.beside) / median(speeds.alone),
    goal: { atLeast: 0.9 },
    peers: { alone: `${median(speeds.alone).toFixed(1)} MB/s` },
  });
}

/** How long it takes until a new viewer has the screen: of an idle terminal, and after much output. */
async function attach(): Promise<void> {
  const session = await ready(belay);
  const attachTimes = async () => {
    const times: number[] = [];
    for (let at = 0; at < 20; at += 1) {
      const startedAt = performance.now();
      const watcher = await session.watch();
      times.push(performance.now() - startedAt);
      watcher?.close();
    }
    return median(times);
  };
  const idle = await attachTimes();
  await flood(session, small, [session]);
  const full = await attachTimes();
  await session.close();
  const row = (what: string, value: number, atMost: number) =>
    addRow({ what, measured: milliseconds(value), value, goal: { atMost }, peers: {} });
  row("connect and attach to an idle terminal, p50 ms", idle, 3);
  row(`connect and attach after ${SMALL_MEGABYTES} MB of output, p50 ms`, full, 5);
}

async function ready(target: Target | BelayServer): Promise<Session> {
  const session = await target.open();
  await untilReady(session);
  return session;
}

/** What the PTY alone gives: node-pty with nothing behind it. */
function drainPlain(): Promise<number> {
  return new Promise((resolve) => {
    let bytes = 0;
    let first = 0;
    let last = 0;
    const pty = spawnPlain("/bin/cat", [log]);
    pty.onData((data) => {
      last = performance.now();
      first ||= last;
      bytes += data.byteLength;
    });
    pty.onExit(() => resolve(speed(bytes, (last - first) / 1000)));
  });
}

function add(series: Record<string, number[]>, name: string, ...values: number[]): void {
  series[name] = [...(series[name] ?? []), ...values];
}

function speed(bytes: number, seconds: number): number {
  return bytes / 1e6 / seconds;
}

function milliseconds(value: number): string {
  return `${value.toFixed(2)} ms`;
}

function spread(values: readonly number[]): string {
  return `(${Math.min(...values).toFixed(0)}–${Math.max(...values).toFixed(0)})`;
}
