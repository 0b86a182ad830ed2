import { performance } from "node:perf_hooks";
import { Screens, TextRenderer } from "@belay/core";

/**
 * What it costs to turn output into text for a model, and to keep the screen of
 * a flooding terminal up to date. The baseline is measured in the same run: decoding
 * the bytes and stripping escape sequences with a regular expression, which is
 * the least that any tool does before a model can read anything.
 */
const LINES = 200_000;
const output = Buffer.from(
  Array.from({ length: LINES }, (_, index) => {
    const level = index % 7 === 0 ? "\x1b[1;31mERROR\x1b[0m" : "\x1b[32mINFO\x1b[0m ";
    return `\x1b[90m12:00:${String(index % 60).padStart(2, "0")}\x1b[0m ${level} wörker ${index % 8}: handled in ${index % 91} ms\r\n`;
  }).join(""),
);
const megabytes = output.byteLength / 1e6;

const stripped = median(5, () => {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences begin with one.
  new TextDecoder().decode(output).replaceAll(/\x1b\[[0-9;]*m|\r/g, "");
});
report("strip with a regular expression", stripped, 1);

const renderer = new TextRenderer({ watchdogMs: 60_000 });
const whole = { cols: 80, rows: 24, maxInputBytes: output.byteLength };
await renderer.renderText(Buffer.from("warm up"));
const rendered = await medianAsync(3, () => renderer.renderText(output, whole));
report("render to text, in its thread", rendered, stripped / rendered);

let mostBlockedMs = 0;
const watch = watchLoop((blockedMs) => {
  mostBlockedMs = Math.max(mostBlockedMs, blockedMs);
});
await renderer.renderText(output, whole);
watch.stop();
console.log(`  the caller's thread meanwhile held up for at most ${mostBlockedMs.toFixed(0)} ms`);
await renderer.close();

const screens = new Screens();
screens.open("bench", { cols: 80, rows: 24, position: 0 });
const memoryBefore = process.memoryUsage().rss;
let position = 0;
const fed = await medianAsync(3, async () => {
  for (let start = 0; start < output.byteLength; start += 65_536) {
    const chunk = output.subarray(start, start + 65_536);
    await screens.feed("bench", position, chunk);
    position += chunk.byteLength;
  }
  await screens.snapshot("bench");
});
report("keep a screen up to date", fed, stripped / fed);
console.log(
  `  memory grew by ${((process.memoryUsage().rss - memoryBefore) / 1e6).toFixed(0)} MB over ${(3 * megabytes).toFixed(0)} MB of output`,
);
for (const scrollbackLines of [0, 1_000]) {
  const ms = await medianAsync(20, () => screens.snapshot("bench", { scrollbackLines }));
  console.log(`  snapshot with ${scrollbackLines} lines of scrollback: ${ms.toFixed(1)} ms`);
}
await screens.close();

function report(what: string, ms: number, ratio: number): void {
  const speed = `${(megabytes / (ms / 1_000)).toFixed(0)} MB/s`;
  console.log(`${what.padEnd(36)} ${speed.padStart(10)}   ratio ${ratio.toFixed(2)}`);
}

function median(times: number, run: () => void): number {
  return middle(
    Array.from({ length: times }, () => {
      const start = performance.now();
      run();
      return performance.now() - start;
    }),
  );
}

async function medianAsync(times: number, run: () => Promise<unknown>): Promise<number> {
  const taken: number[] = [];
  for (let index = 0; index < times; index++) {
    const start = performance.now();
    await run();
    taken.push(performance.now() - start);
  }
  return middle(taken);
}

function middle(values: number[]): number {
  return values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

function watchLoop(onBlocked: (ms: number) => void): { stop(): void } {
  const EVERY_MS = 5;
  let last = performance.now();
  const timer = setInterval(() => {
    const now = performance.now();
    onBlocked(now - last - EVERY_MS);
    last = now;
  }, EVERY_MS);
  return { stop: () => clearInterval(timer) };
}
