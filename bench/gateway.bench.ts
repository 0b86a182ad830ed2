import { exec } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { type Belay, openBelay } from "@belay/agent-gateway";
import Database from "better-sqlite3";
import { report } from "./core-fixtures.ts";
import { percentile } from "./harness/measure.ts";

/** What the whole path costs: judged, recorded, durable, run, closed. */
const RUNS = 60;
const AT_ONCE = 4;
/** Rows of the record for one command: opened, judged, started, closed. */
const ROWS_PER_COMMAND = 4;

const folder = mkdtempSync(join(tmpdir(), "belay-bench-"));
const belay = await openBelay({ dataDir: join(folder, "data"), workspace: folder });
await belay.terminals.attach("bench");
// The first ones start shells and warm everything up.
await Promise.all(Array.from({ length: AT_ONCE }, (_, at) => runTrue(belay, `${at}`)));

await compareRun();
await compareRate();
await belay.close();
rmSync(folder, { recursive: true });

async function compareRun(): Promise<void> {
  const full: number[] = [];
  const plain: number[] = [];
  for (let run = 0; run < RUNS; run += 1) {
    full.push(await timed(() => runTrue(belay)));
    plain.push(await timed(execTrue));
  }
  const [p50, plainP50] = [percentile(full, 0.5), percentile(plain, 0.5)];
  report("agent runs `true`, full path, against exec", `${p50.toFixed(1)} ms`, p50 / plainP50, "≤ 1.5");
}

async function compareRate(): Promise<void> {
  const count = RUNS * AT_ONCE;
  const bareMs = insertBare(count * ROWS_PER_COMMAND);
  const pathMs = await timed(() =>
    Promise.all(
      Array.from({ length: AT_ONCE }, async (_, at) => {
        for (let run = 0; run < RUNS; run += 1) await runTrue(belay, `${at}`);
      }),
    ),
  );
  const perSecond = (count / pathMs) * 1000;
  report("audited commands, against bare chained inserts", `${perSecond.toFixed(0)} /s`, bareMs / pathMs, "≥ 0.5");
}

async function runTrue({ terminals }: Belay, conversation = "0"): Promise<void> {
  const { exitCode } = await terminals.sendCommandAndWait("true", { conversation }, "bench");
  if (exitCode !== 0) throw new Error(`true ended with ${exitCode}.`);
}

function execTrue(): Promise<void> {
  return new Promise((resolve, reject) => {
    exec("true", (error) => (error ? reject(error) : resolve()));
  });
}

/** The same number of rows, chained by hash and each durable, with nothing else around them. */
function insertBare(rows: number): number {
  const database = new Database(join(folder, "bare.db"));
  database.pragma("journal_mode = WAL");
  database.pragma("synchronous = FULL");
  database.exec("CREATE TABLE rows (seq INTEGER PRIMARY KEY, detail TEXT NOT NULL, hash TEXT NOT NULL)");
  const insert = database.prepare("INSERT INTO rows (detail, hash) VALUES (?, ?)");
  const startedAt = performance.now();
  let hash = "";
  for (let row = 0; row < rows; row += 1) {
    const detail = JSON.stringify({ type: "command.opened", line: "true", row });
    hash = createHash("sha256").update(hash).update(detail).digest("hex");
    insert.run(detail, hash);
  }
  const elapsedMs = performance.now() - startedAt;
  database.close();
  return elapsedMs;
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}
