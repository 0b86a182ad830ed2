import { spawn } from "node:child_process";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { fileURLToPath } from "node:url";
import { startBelay } from "./harness/belay.ts";
import { inTurns, median, percentile } from "./harness/measure.ts";
import { addRow } from "./harness/report.ts";

/**
 * What a hook adds to each command of a client's own shell: `belay hook` beside a Node that does nothing, which is what
 * any hook in Node costs, and the same call over HTTP, which needs no process.
 */
const PROGRAM = fileURLToPath(new URL("../apps/agent-gateway/bin/belay.mjs", import.meta.url));
const ROUNDS = 40;
const CALL = JSON.stringify({
  session_id: "bench",
  cwd: tmpdir(),
  hook_event_name: "PreToolUse",
  tool_name: "Bash",
  tool_input: { command: "git status" },
  tool_use_id: "1",
});

const belay = await startBelay();
const token = await belay.addAgent("bench", "standard");
const env = { PATH: process.env.PATH ?? "", HOME: belay.dataDir, BELAY_DATA_DIR: belay.dataDir };

const times = await inTurns(ROUNDS, {
  node: () => timeOf(() => run(["-e", "0"])),
  hook: () => timeOf(() => run([PROGRAM, "hook", "claude"])),
  http: () => timeOf(overHttp),
});
const beyond = median(times.hook) - median(times.node);
addRow({
  what: "belay hook, beyond starting Node, ms",
  measured: `${median(times.hook).toFixed(0)} ms (p95 ${percentile(times.hook, 0.95).toFixed(0)})`,
  value: beyond,
  goal: { atMost: 50 },
  peers: { "bare Node": `${median(times.node).toFixed(0)} ms` },
});
addRow({
  what: "the same call over HTTP, ms",
  measured: `${median(times.http).toFixed(1)} ms (p95 ${percentile(times.http, 0.95).toFixed(1)})`,
  value: median(times.http),
  goal: { atMost: 50 },
  peers: {},
});
await belay.close();

async function timeOf(work: () => Promise<void>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

async function run(args: string[]): Promise<void> {
  const child = spawn(process.execPath, args, { env, stdio: ["pipe", "ignore", "inherit"] });
  child.stdin.on("error", () => {}); // a Node that does nothing reads nothing
  child.stdin.end(CALL);
  const [code] = (await once(child, "close")) as [number | null];
  if (code !== 0) throw new Error(`It ended with ${code}.`);
}

async function overHttp(): Promise<void> {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const response = await fetch(`${belay.url}/hooks/claude`, { method: "POST", headers, body: CALL });
  if (!(await response.text()).includes('"allow"')) throw new Error("It was not allowed.");
}
