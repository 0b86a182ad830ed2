import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type BelayServer, startBelay } from "./harness/belay.ts";
import { echoTimes, untilReady } from "./harness/flood.ts";
import { type Machine, startMachine } from "./harness/machine.ts";
import { commandsPerSecond, connectAgents } from "./harness/mcp-agent.ts";
import { median, percentile } from "./harness/measure.ts";
import { cpuSeconds, memoryMegabytes } from "./harness/processes.ts";
import { startProgram } from "./harness/programs.ts";
import { addRow } from "./harness/report.ts";

// Several gateways on one PostgreSQL, which syncs every commit, and one NATS server; all of it on this machine.
const GATEWAYS = [1, 2, 4];
const AGENTS = 20;
const RUNS_EACH = 25;
const ANSWERS = 41;
const MACHINES = 20;
const TERMINALS = 1000;
const IDLE_MS = 5_000;

const workspace = mkdtempSync(join(tmpdir(), "belay-bench-work-"));
const servers = startProgram("cluster/serve-servers.ts", String(GATEWAYS.length + 1));
const served = JSON.parse(await servers.nextLine()) as { databases: string[]; natsUrl: string } | null;
const parts = { answers, commands, terminals };
if (served === null) {
  console.log("This needs PostgreSQL and NATS (Debian, Ubuntu: sudo apt-get install postgresql nats-server).");
} else {
  try {
    // All of them, or those that are named: `tsx bench/gateways.bench.ts answers`.
    const named = process.argv.slice(2);
    for (const [name, measure] of Object.entries(parts))
      if (named.length === 0 || named.includes(name)) await measure();
  } finally {
    servers.child.stdin?.end();
    await servers.ended;
    rmSync(workspace, { recursive: true, force: true });
  }
}

/** From a person's answer at one gateway until the command that waits at the other one starts. */
async function answers(): Promise<void> {
  const [asked, answering] = (await startGateways(2)) as [BelayServer, BelayServer];
  try {
    const token = await asked.addAgent("bench", "standard");
    const times: number[] = [];
    for (let round = 0; round < ANSWERS; round += 1) {
      const reply = runAsAgent(asked.url, token, "true && some-unknown-program");
      const { id, commandId } = await nextQuestion(answering);
      const answeredAt = Date.now();
      await answering.call("approvals.decide", { id, decision: "approve" });
      await reply;
      const { events } = await asked.query<{ events: { type: string; commandId: string; at: number }[] }>(
        "audit.search",
        {
          limit: 20,
        },
      );
      const started = events.find((row) => row.type === "command.started" && row.commandId === commandId);
      times.push((started?.at ?? Number.NaN) - answeredAt);
    }
    addRow({
      what: "from an answer at one gateway to the start at another, p50 ms",
      measured: `${median(times).toFixed(0)} ms (p99 ${percentile(times, 0.99).toFixed(0)})`,
      value: median(times),
      goal: { atMost: 20 },
      peers: {},
    });
  } finally {
    await Promise.all([asked.close(), answering.close()]);
  }
}

/** Commands by MCP, judged, recorded and run, through whole gateways. */
async function commands(): Promise<void> {
  const sqlite = await measureCommands([await startBelay()]);
  for (const count of GATEWAYS) {
    const rate = await measureCommands(await startGateways(count));
    addRow({
      what: `audited commands a second, ${count} whole gateway${count === 1 ? "" : "s"} on one PostgreSQL, against one on SQLite`,
      measured: `${rate.toFixed(0)} /s`,
      value: rate / sqlite,
      goal: null,
      peers: { SQLite: `${sqlite.toFixed(0)} /s` },
    });
  }
}

async function measureCommands(gateways: readonly BelayServer[]): Promise<number> {
  try {
    return await commandsPerSecond(await connectAgents(gateways, AGENTS), RUNS_EACH);
  } finally {
    await Promise.all(gateways.map((gateway) => gateway.close()));
  }
}

/** Idle terminals on many machines of one gateway: memory, CPU, and what a person at the console notices. */
async function terminals(): Promise<void> {
  const gateway = await startBelay({ env: { BELAY_WORKSPACE: workspace } });
  const machines: Machine[] = [];
  try {
    for (let at = 0; at < MACHINES; at += 1) machines.push(await startMachine(gateway, `machine-${at}`));
    const before = { gateway: memoryMegabytes(gateway.gatewayPid), machines: memoryOf(machines) };
    const first = await gateway.open({ machine: "machine-0" });
    await untilReady(first);
    const alone = median(await echoTimes(first, 100));
    await Promise.all(
      machines.map(async ({ name }, at) => {
        const own = TERMINALS / MACHINES - (at === 0 ? 1 : 0);
        for (let opened = 0; opened < own; opened += 1)
          await gateway.call("terminals.spawn", { cols: 80, rows: 24, machine: name });
      }),
    );
    const pids = machines.map(({ pid }) => pid);
    const cpuBefore = { gateway: cpuSeconds([gateway.gatewayPid]), machines: cpuSeconds(pids) };
    await new Promise((resolve) => setTimeout(resolve, IDLE_MS));
    const share = (now: number, earlier: number) => ((now - earlier) / (IDLE_MS / 1000)) * 100;
    const gatewayCpu = share(cpuSeconds([gateway.gatewayPid]), cpuBefore.gateway);
    const machinesCpu = share(cpuSeconds(pids), cpuBefore.machines);
    const among = median(await echoTimes(first, 100));
    const row = (what: string, measured: string, value: number, peers: Record<string, string> = {}) =>
      addRow({
        what: `${TERMINALS} idle terminals on ${MACHINES} machines: ${what}`,
        measured,
        value,
        goal: null,
        peers,
      });
    const gatewayMb = memoryMegabytes(gateway.gatewayPid);
    const machinesMb = memoryOf(machines);
    row(
      "memory of the gateway, KB for each",
      `${gatewayMb.toFixed(0)} MB`,
      ((gatewayMb - before.gateway) * 1024) / TERMINALS,
      {
        "without terminals": `${before.gateway.toFixed(0)} MB`,
      },
    );
    row(
      "memory of a host, KB for each",
      `${(machinesMb / MACHINES).toFixed(0)} MB`,
      ((machinesMb - before.machines) * 1024) / TERMINALS,
      {
        "without terminals": `${(before.machines / MACHINES).toFixed(0)} MB`,
      },
    );
    row("CPU of the gateway, % of a core", `${gatewayCpu.toFixed(1)} %`, gatewayCpu);
    row("CPU of all hosts, % of a core", `${machinesCpu.toFixed(1)} %`, machinesCpu);
    row("echo of a key p50, ms", `${among.toFixed(2)} ms`, among, { "one terminal": `${alone.toFixed(2)} ms` });
    row("list of all terminals p50, ms", "", await listMs(gateway));
    await first.close();
  } finally {
    // First, or it would report every terminal that its machines take with them.
    await gateway.close();
    await Promise.all(machines.map((machine) => machine.close()));
  }
}

async function listMs(gateway: BelayServer): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < 10; round += 1) {
    const startedAt = performance.now();
    await gateway.query("terminals.list", {});
    times.push(performance.now() - startedAt);
  }
  return median(times);
}

/** Gateways on a database of their own that know each other. */
async function startGateways(count: number): Promise<BelayServer[]> {
  const env = {
    BELAY_DATABASE_URL: served?.databases.pop() ?? "",
    BELAY_NATS_URL: served?.natsUrl ?? "",
    BELAY_CLUSTER_SECRET: "only-the-gateways-of-this-benchmark-know-it",
    BELAY_WORKSPACE: workspace,
  };
  const gateways: BelayServer[] = [];
  for (let at = 0; at < count; at += 1)
    gateways.push(await startBelay({ env: { ...env, BELAY_GATEWAY_NAME: `gateway-${at}` } }));
  for (const gateway of gateways)
    while ((await gateway.query<{ gateways: unknown[] }>("gateway.health", {})).gateways.length < count)
      await new Promise((resolve) => setTimeout(resolve, 50));
  return gateways;
}

async function runAsAgent(url: string, token: string, command: string): Promise<void> {
  const response = await fetch(`${url}/trpc/terminals.run`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify({ command }),
  });
  if (!response.ok) throw new Error(`The agent's call failed: ${await response.text()}`);
}

async function nextQuestion(gateway: BelayServer): Promise<{ id: string; commandId: string }> {
  for (;;) {
    const [first] = await gateway.query<{ id: string; commandId: string }[]>("approvals.list", { state: "pending" });
    if (first) return first;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

function memoryOf(machines: readonly Machine[]): number {
  return machines.reduce((sum, { pid }) => sum + memoryMegabytes(pid), 0);
}
