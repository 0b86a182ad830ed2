import { writeFileSync } from "node:fs";
import { type BelayServer, startBelay } from "./harness/belay.ts";
import { echoTimes, untilReady } from "./harness/flood.ts";
import { drawGrowth, type GrowthPoint } from "./harness/growth-picture.ts";
import { median, percentile } from "./harness/measure.ts";
import { cpuSeconds, memoryMegabytes } from "./harness/processes.ts";
import { addRow } from "./harness/report.ts";

// What more terminals cost: memory and CPU while they are idle, the echo of a key, listing them all.
// `BENCH_GROWTH_SVG` names a file for the picture.
const COUNTS = [1, 10, 100, 500];
const BUSY = 50;
const IDLE_MS = 3_000;
const ECHOES = 150;

const belay = await startBelay();
try {
  const typist = await belay.open();
  await untilReady(typist);
  const base = memory(belay);
  const points: GrowthPoint[] = [];
  let open = 1;
  for (const count of COUNTS) {
    for (; open < count; open += 1) await belay.call("terminals.spawn", { cols: 80, rows: 24 });
    const cpuBefore = cpuSeconds([belay.gatewayPid]) + cpuSeconds([belay.hostPid()]);
    await new Promise((resolve) => setTimeout(resolve, IDLE_MS));
    const cpu = cpuSeconds([belay.gatewayPid]) + cpuSeconds([belay.hostPid()]) - cpuBefore;
    const times = await echoTimes(typist, ECHOES);
    points.push({
      terminals: count,
      memoryMb: memory(belay),
      idleCpuPercent: (cpu / (IDLE_MS / 1000)) * 100,
      echoP50Ms: median(times),
      echoP99Ms: percentile(times, 0.99),
      listMs: await listMs(),
    });
    const point = points.at(-1) as GrowthPoint;
    console.log(
      `        ${String(count).padStart(4)} terminals: ${point.memoryMb.toFixed(0)} MB, ${point.idleCpuPercent.toFixed(1)} % CPU, ` +
        `echo ${point.echoP50Ms.toFixed(2)} / ${point.echoP99Ms.toFixed(2)} ms, list ${point.listMs.toFixed(1)} ms`,
    );
  }
  const last = points.at(-1) as GrowthPoint;
  addRow({
    what: `memory of the host and the gateway for each of ${last.terminals} idle terminals, KB`,
    measured: `${last.memoryMb.toFixed(0)} MB in all`,
    value: ((last.memoryMb - base) * 1024) / (last.terminals - 1),
    goal: { atMost: 400 },
    peers: {},
  });
  addRow({
    what: `keystroke echo p50 among ${last.terminals} idle terminals, against 1`,
    measured: `${last.echoP50Ms.toFixed(2)} ms`,
    value: last.echoP50Ms / (points[0] as GrowthPoint).echoP50Ms,
    goal: { atMost: 1.5 },
    peers: {},
  });
  const file = process.env.BENCH_GROWTH_SVG;
  if (file) writeFileSync(file, drawGrowth(points));
  await measureBusy();
} finally {
  await belay.close();
}

/** Many terminals that print ten lines a second, each with a viewer, and a person who types beside them. */
async function measureBusy(): Promise<void> {
  const typist = await belay.open();
  await untilReady(typist);
  const busy = await Promise.all(Array.from({ length: BUSY }, () => belay.open()));
  for (const session of busy) session.type("while :; do echo a line of a build that goes on; sleep 0.1; done\n");
  const times = await echoTimes(typist, 2 * ECHOES);
  for (const session of [typist, ...busy]) await session.close();
  const p99 = percentile(times, 0.99);
  addRow({
    what: `${BUSY} terminals printing 10 lines a second, watched: echo p99, ms`,
    measured: `${p99.toFixed(2)} ms (p50 ${median(times).toFixed(2)})`,
    value: p99,
    goal: { atMost: 5 },
    peers: {},
  });
}

async function listMs(): Promise<number> {
  const times: number[] = [];
  for (let at = 0; at < 10; at += 1) {
    const startedAt = performance.now();
    await belay.query("terminals.list", {});
    times.push(performance.now() - startedAt);
  }
  return median(times);
}

function memory(server: BelayServer): number {
  return memoryMegabytes(server.gatewayPid) + memoryMegabytes(server.hostPid());
}
