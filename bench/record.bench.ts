import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { openRecorder, recordingsDirOf } from "@belay/core";
import { type BelayServer, startBelay } from "./harness/belay.ts";
import { median } from "./harness/measure.ts";
import { addRow } from "./harness/report.ts";
import { agentId, seedRecord } from "./harness/seed-record.ts";

/** What the audit and the replay pages wait for, on a record of a million rows and a recording of 100 MB. */
const ROWS = Number(process.env.BENCH_RECORD_ROWS ?? 1_000_000);
if (!Number.isSafeInteger(ROWS) || ROWS < 1) throw new Error("BENCH_RECORD_ROWS is a number of rows.");
const RECORDING_BYTES = 100_000_000;
const RUNS = 15;
const STARTS = 3;

const dataDir = mkdtempSync(join(tmpdir(), "belay-bench-"));
const emptyStarts = await startTimes(); // the first one creates the database
const seededAt = performance.now();
const { from, to } = seedRecord(dataDir, ROWS);
console.log(`${ROWS.toLocaleString("en-US")} rows in ${Math.round((performance.now() - seededAt) / 1_000)} s`);
await seedRecording();

const startMs = median(await startTimes());
addRow({
  what: `start on a record of ${ROWS.toLocaleString("en-US")} rows, ms`,
  measured: ms(startMs),
  value: startMs,
  goal: { atMost: 1_000 },
  peers: { "an empty record": ms(median(emptyStarts)) },
});
const belay = await startBelay({ dataDir });
try {
  await measureSearch(belay);
  await measureRecordingSearch(belay);
  await measureReplay(belay);
} finally {
  await belay.close();
  rmSync(dataDir, { recursive: true, force: true });
}

async function startTimes(): Promise<number[]> {
  const times: number[] = [];
  for (let run = 0; run < STARTS; run += 1) {
    const started = await startBelay({ dataDir });
    times.push(started.readyAfterMs);
    await started.close();
  }
  return times;
}

async function measureSearch({ query }: BelayServer): Promise<void> {
  // A search of an empty record is quick, and says nothing.
  const { events } = await query<{ events: { seq: number }[] }>("audit.search", { limit: 1 });
  if ((events[0]?.seq ?? 0) < ROWS) throw new Error(`The record has fewer than ${ROWS} rows.`);
  const month = { from: to - 30 * 24 * 3_600_000, to };
  const searches: Record<string, object> = {
    "first page": {},
    "a text that is everywhere": { text: "deploy" },
    "a rare text": { text: "run 4321" },
    "an agent": { agentId: agentId(7) },
    "a terminal": { terminalId: "pty-seed123" },
    "a kind in a month": { types: ["command.closed"], ...month },
    "denied in a month": { verdict: "deny", ...month },
    "a program": { program: "cargo" },
    "an old week": { from, to: from + 7 * 24 * 3_600_000 },
    "an agent in an old week": { agentId: agentId(7), from, to: from + 7 * 24 * 3_600_000 },
    "a verdict that is rare": { verdict: "deny", from, to: from + 24 * 3_600_000 },
    "agent, text and month together": { agentId: agentId(7), text: "git", ...month },
  };
  const search = (filter: object) => query("audit.search", { ...filter, limit: 100 });
  let slowestFirst = 0;
  for (const [what, filter] of Object.entries(searches)) {
    const beganAt = performance.now();
    await search(filter);
    slowestFirst = Math.max(slowestFirst, performance.now() - beganAt);
    const times = await timesOf(() => search(filter));
    const goal = { atMost: 50 };
    addRow({ what: `search, warm, ms: ${what}`, measured: ms(median(times)), value: median(times), goal, peers: {} });
  }
  addRow({
    what: "search: the slowest of these the first time, ms",
    measured: ms(slowestFirst),
    value: slowestFirst,
    goal: { atMost: 500 },
    peers: {},
  });
  const charts = await timesOf(() => query("audit.charts", month), 3);
  addRow({ what: "charts of a month", measured: ms(median(charts)), value: median(charts), goal: null, peers: {} });
}

async function measureReplay({ query }: BelayServer): Promise<void> {
  const id = "pty-replay";
  const about = await query<{ durationMs: number }>("recordings.about", { id });
  const opened = await timesOf(async () => {
    await query("recordings.about", { id });
    await query("recordings.segment", { id, at: { timeMs: 0 } });
  });
  addRow({
    what: "replay of 100 MB: open",
    measured: ms(median(opened)),
    value: median(opened),
    goal: { atMost: 2_000 },
    peers: {},
  });
  let jumps = 0;
  const jumped = await timesOf(() => {
    jumps += 1;
    const timeMs = Math.round(about.durationMs * ((jumps * 0.37) % 1));
    return query("recordings.segment", { id, at: { timeMs } });
  });
  addRow({
    what: "replay of 100 MB: jump",
    measured: ms(median(jumped)),
    value: median(jumped),
    goal: { atMost: 500 },
    peers: {},
  });
}

/** The index is made 20 seconds after the start; until then a recording is read whole. */
async function measureRecordingSearch({ query, dataDir }: BelayServer): Promise<void> {
  const search = (text: string) => timesOf(() => query("recordings.search", { text, cursor: 0 }), 3);
  const read = median(await search("nowhere-in-it"));
  addRow({ what: "text in a 100 MB recording, read", measured: ms(read), value: read, goal: null, peers: {} });
  while (!existsSync(join(recordingsDirOf(dataDir), "pty-replay.frames")))
    await new Promise((resolve) => setTimeout(resolve, 500));
  for (const [what, text] of [
    ["not in it", "nowhere-in-it"],
    ["in one line", "24000"],
    ["in every line", "quick brown"],
  ] as const) {
    const took = median(await search(text));
    const row = { what: `text in a 100 MB recording, indexed: ${what}`, measured: ms(took), value: took, peers: {} };
    addRow({ ...row, goal: { atMost: 100 } });
  }
}

/** A log with colours, a line every millisecond or so. */
async function seedRecording(): Promise<void> {
  const startedAt = from;
  let now = startedAt;
  const recorder = await openRecorder({
    dir: recordingsDirOf(dataDir),
    header: { terminalId: "pty-replay", startedAt, cols: 120, rows: 40, title: "bench" },
    now: () => now,
  });
  let written = 0;
  for (let line = 0; written < RECORDING_BYTES; line += 1) {
    now = startedAt + line * 20;
    const piece = Buffer.from(`\u001b[32m${line}\u001b[0m ${"the quick brown fox ".repeat(200)}\r\n`);
    written += piece.byteLength;
    await recorder.append(piece);
  }
  await recorder.close({ exitCode: 0 });
}

async function timesOf(act: () => Promise<unknown>, runs = RUNS): Promise<number[]> {
  await act(); // warm-up, not measured
  const times: number[] = [];
  for (let run = 0; run < runs; run += 1) {
    const startedAt = performance.now();
    await act();
    times.push(performance.now() - startedAt);
  }
  return times;
}

function ms(value: number): string {
  return `${value.toFixed(1)} ms`;
}
