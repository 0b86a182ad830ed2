import { exec } from "node:child_process";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { openBenchPool, report, spawnPlain, writeLog } from "./core-fixtures.ts";
import { plainEchoes, poolEchoes } from "./harness/echo-times.ts";
import { inTurns, median, percentile } from "./harness/measure.ts";

/**
 * What the pool itself costs, with no gateway and no socket in between. Every figure
 * is compared with a plain implementation measured in the same run: absolute speeds vary with
 * the machine and its load, ratios hardly do.
 */
const MEGABYTES = 30;

class ByteClock {
  #first: number | null = null;
  #last = 0;

  get elapsedMs(): number {
    return this.#last - (this.#first ?? this.#last);
  }

  tick(): void {
    this.#last = performance.now();
    this.#first ??= this.#last;
  }
}

const bench = openBenchPool();
const log = join(bench.folder, "log");

// First, before this process's memory has grown from other measurements.
await measureMemory();
writeLog(log, MEGABYTES);
await compareThroughput();
await compareEcho();
await compareRun();
await compareStart();
await compareLostOutput();
await bench.close();

async function compareThroughput(): Promise<void> {
  const times = await inTurns(5, { plain: drainPlain, one: () => drainPool(1), ten: () => drainPool(10) });
  const [plain, one, ten] = [median(times.plain), median(times.one), median(times.ten)];
  const speed = (ms: number) => `${((MEGABYTES / ms) * 1000).toFixed(0)} MB/s`;
  report("output with 1 reader, against node-pty alone", speed(one), plain / one, "≥ 0.70");
  report("output with 10 readers, slowest against 1 reader", speed(ten), one / ten, "≥ 0.80");
}

// From the first byte to the last: starting and ending a program is measured elsewhere.
function drainPlain(): Promise<number> {
  return new Promise((resolve) => {
    const clock = new ByteClock();
    const pty = spawnPlain("/bin/cat", [log]);
    pty.onData(() => clock.tick());
    pty.onExit(() => resolve(clock.elapsedMs));
  });
}

async function drainPool(readers: number): Promise<number> {
  const id = await bench.spawn({ program: { type: "argv", argv: ["cat", log] } });
  const taken = await Promise.all(
    Array.from(
      { length: readers },
      () =>
        new Promise<number>((resolve) => {
          const clock = new ByteClock();
          const onEnd = () => resolve(clock.elapsedMs);
          bench.pool.follow(id, 0, { onOutput: () => clock.tick(), onGap: () => {}, onEnd });
        }),
    ),
  );
  return Math.max(...taken);
}

async function compareEcho(): Promise<void> {
  const id = await bench.spawn({ program: { type: "argv", argv: ["cat"] } });
  const plain: number[] = [];
  const idle: number[] = [];
  for (let round = 0; round < 5; round++) {
    plain.push(...(await plainEchoes(60)));
    idle.push(...(await poolEchoes(bench.pool, id, 60)));
  }
  const flood = await bench.spawn({ program: { type: "argv", argv: ["sh", "-c", `while :; do cat ${log}; done`] } });
  const follower = bench.pool.follow(flood, 0, { onOutput: () => {}, onGap: () => {}, onEnd: () => {} });
  const busy = await poolEchoes(bench.pool, id, 300);
  follower.stop();
  await bench.pool.kill(flood, { reason: "killed" });

  const micro = (values: number[], share: number) => `${(percentile(values, share) * 1000).toFixed(0)} µs`;
  const ratio = (a: number[], b: number[], share: number) => percentile(a, share) / percentile(b, share);
  report("keystroke echo p50, against node-pty alone", micro(idle, 0.5), ratio(idle, plain, 0.5), "≤ 1.2");
  report("keystroke echo p99 beside a flood, against idle p99", micro(busy, 0.99), ratio(busy, idle, 0.99), "≤ 3");
}

async function compareRun(): Promise<void> {
  const id = await bench.spawn();
  await bench.run(id, "true");
  const runs: number[] = [];
  const execs: number[] = [];
  for (let at = 0; at < 200; at++) {
    runs.push(await timed(() => bench.run(id, "true")));
    execs.push(await timed(() => new Promise((resolve) => exec("true", resolve))));
  }
  const run = percentile(runs, 0.5);
  report(
    "run `true` in a shell that is up, against exec",
    `${run.toFixed(2)} ms`,
    run / percentile(execs, 0.5),
    "≤ 1.5",
  );
}

async function compareStart(): Promise<void> {
  const warmBench = openBenchPool({ warmShell: { shell: null } });
  const login = { program: { type: "shell", shell: null, login: true } } as const;
  const cold: number[] = [];
  const warm: number[] = [];
  for (let at = 0; at < 20; at++) {
    cold.push(await timed(async () => bench.run(await bench.spawn(login), "true")));
    await new Promise((resolve) => setTimeout(resolve, 100));
    warm.push(await timed(async () => warmBench.run(await warmBench.spawn(login), "true")));
  }
  await warmBench.close();
  const ms = percentile(warm, 0.5);
  report("spawn and first command, warm against cold", `${ms.toFixed(1)} ms`, ms / percentile(cold, 0.5), "≤ 1");
}

async function compareLostOutput(): Promise<void> {
  const RUNS = 1_000;
  // To show what is mended, fewer will do.
  const PLAIN_RUNS = 100;
  const BYTES = 200_000;
  const program: [string, ...string[]] = ["/bin/sh", "-c", `head -c ${BYTES} /dev/zero | tr '\\0' x`];
  let plainLost = 0;
  let lost = 0;
  for (let at = 0; at < RUNS; at++) {
    const plain =
      at >= PLAIN_RUNS
        ? BYTES
        : await new Promise<number>((resolve) => {
            let received = 0;
            const pty = spawnPlain(program[0], program.slice(1));
            pty.onData((data) => {
              received += data.byteLength;
            });
            pty.onExit(() => resolve(received));
          });
    const id = await bench.spawn({ program: { type: "argv", argv: program } });
    const ours = await new Promise<number>((resolve) => {
      bench.pool.follow(id, 0, { onOutput: () => {}, onGap: () => {}, onEnd: ({ position }) => resolve(position) });
    });
    if (plain < BYTES) plainLost++;
    if (ours < BYTES) lost++;
  }
  report(
    `programs of ${RUNS} whose last output was lost (plain: ${plainLost} of ${PLAIN_RUNS})`,
    String(lost),
    lost,
    "≤ 0",
  );
}

async function measureMemory(): Promise<void> {
  const COUNT = 100;
  const before = process.memoryUsage().rss;
  for (let at = 0; at < COUNT; at++) await bench.run(await bench.spawn(), "true");
  const kilobytes = (process.memoryUsage().rss - before) / 1024 / COUNT;
  report("memory of an idle terminal, beyond its shell, KB", `${kilobytes.toFixed(0)} KB`, kilobytes, "≤ 400");
}

async function timed(run: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await run();
  return performance.now() - start;
}
