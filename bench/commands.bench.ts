import { exec } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import { startBelay } from "./harness/belay.ts";
import { commandsPerSecond, connectAgents, type RunTrue } from "./harness/mcp-agent.ts";
import { inTurns, median, percentile } from "./harness/measure.ts";
import { ownCpuMs } from "./harness/processes.ts";
import { addRow } from "./harness/report.ts";

// What a command costs an agent: judged, recorded, durable, run and closed, through the real gateway by MCP.
/**
 * Before anything is measured. The terminals of an agent at work are warm, and so is its gateway: in the first thousand commands,
 * Node still compiles the path that they take.
 */
const WARM_UP_RUNS = 100;
const RUNS = 80;
const AGENTS = 20;
const RUNS_EACH = 25;
/** Rows of the record for one command: opened, judged, started, closed. */
const ROWS_PER_COMMAND = 4;

const belay = await startBelay();
try {
  const agents = await connectAgents([belay], AGENTS);
  await commandsPerSecond(agents, WARM_UP_RUNS);
  await compareOne(agents[0] as RunTrue);
  await compareMany(agents);
} finally {
  await belay.close();
}

async function compareOne(runTrue: RunTrue): Promise<void> {
  const candidates = { full: () => timed(runTrue), plain: () => timed(execTrue) };
  await inTurns(WARM_UP_RUNS, candidates);
  const times = await inTurns(RUNS, candidates);
  const [full, plain] = [median(times.full), median(times.plain)];
  addRow({
    what: "an agent runs `true`, full path by MCP, against exec",
    measured: `${full.toFixed(1)} ms (p90 ${percentile(times.full, 0.9).toFixed(1)})`,
    value: full / plain,
    goal: { atMost: 1.5 },
    peers: { exec: `${plain.toFixed(1)} ms` },
  });
}

async function compareMany(agents: readonly RunTrue[]): Promise<void> {
  const perSecond = (some: readonly RunTrue[]) => commandsPerSecond(some, RUNS_EACH);
  const used = () => [belay.gatewayPid, belay.hostPid()].map(ownCpuMs);
  const before = used();
  const rates = await inTurns(3, {
    one: () => perSecond(agents.slice(0, 1)),
    five: () => perSecond(agents.slice(0, 5)),
    twenty: () => perSecond(agents),
    bare: async () => barePerSecond(AGENTS * RUNS_EACH),
  });
  const commands = 3 * RUNS_EACH * (1 + 5 + AGENTS);
  const [gatewayMs = 0, hostMs = 0] = used().map((ms, at) => (ms - (before[at] ?? 0)) / commands);
  const shown = (values: readonly number[]) => `${median(values).toFixed(0)} /s`;
  addRow({
    what: `${AGENTS} agents at once: audited commands a second`,
    measured: shown(rates.twenty),
    value: median(rates.twenty),
    goal: { atLeast: 550 },
    peers: { "1 agent": shown(rates.one), "5 agents": shown(rates.five), "bare inserts": shown(rates.bare) },
  });
  addRow({
    what: "the same, against bare chained inserts of as many rows",
    measured: shown(rates.twenty),
    value: median(rates.twenty) / median(rates.bare),
    goal: { atLeast: 0.5 },
    peers: { "bare inserts": shown(rates.bare) },
  });
  addRow({
    what: "CPU of the gateway for one command, ms",
    measured: `${gatewayMs.toFixed(2)} ms`,
    value: gatewayMs,
    goal: null,
    peers: { host: `${hostMs.toFixed(2)} ms` },
  });
}

/** The same number of rows per command, hash-chained and each durable, with nothing else around them. */
function barePerSecond(commands: number): number {
  const folder = mkdtempSync(join(tmpdir(), "belay-bench-"));
  const database = new Database(join(folder, "bare.db"));
  try {
    database.pragma("journal_mode = WAL");
    database.pragma("synchronous = FULL");
    database.exec("CREATE TABLE rows (seq INTEGER PRIMARY KEY, detail TEXT NOT NULL, hash TEXT NOT NULL)");
    const insert = database.prepare("INSERT INTO rows (detail, hash) VALUES (?, ?)");
    const startedAt = performance.now();
    let hash = "";
    for (let row = 0; row < commands * ROWS_PER_COMMAND; row += 1) {
      const detail = JSON.stringify({ type: "command.opened", line: "true", row });
      hash = createHash("sha256").update(hash).update(detail).digest("hex");
      insert.run(detail, hash);
    }
    return (commands / (performance.now() - startedAt)) * 1000;
  } finally {
    database.close();
    rmSync(folder, { recursive: true });
  }
}

function execTrue(): Promise<void> {
  return new Promise((resolve, reject) => {
    exec("true", (error) => (error ? reject(error) : resolve()));
  });
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}
