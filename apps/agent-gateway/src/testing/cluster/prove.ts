import { chmodSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { parseArgs } from "node:util";
import { findPostgres, startPostgres } from "../database/postgres-server.ts";
import { measureAnswers } from "./measure-answers.ts";
import { openNamespaces } from "./namespaces.ts";
import { findNats, startNats } from "./nats-server.ts";
import { possibleFaults, type Scene } from "./prove-faults.ts";
import { Load } from "./prove-load.ts";
import { type Cost, describeCosts, middle, writeInto } from "./prove-table.ts";
import { ProvedGateway } from "./proved-gateway.ts";
import { ProvedHost } from "./proved-host.ts";
import { openSmallDisk } from "./small-disk.ts";
import { Tickers } from "./tickers.ts";

/**
 * Proves what several gateways promise: agents work there and on other machines, people answer at two gateways at once, and a
 * seeded plan of faults kills gateways, hosts, NATS and PostgreSQL, cuts links and fills disks. Afterwards no command has run
 * twice, none that was reported as done is missing, no approval is left, no byte of a terminal whose host lives was lost or
 * came twice, and every chain of the record verifies. Prints what each kind of failure cost.
 */
const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "12" },
    gateways: { type: "string", default: "3" },
    hosts: { type: "string", default: "20" },
    seed: { type: "string", default: String(Date.now() % 1e6) },
    out: { type: "string" },
  },
});
const [rounds, seed] = [Number(values.rounds), Number(values.seed)];
const [postgresBin, natsBin] = [findPostgres(), findNats()];
if (postgresBin === null || natsBin === null) {
  console.error("This needs PostgreSQL and NATS (Debian, Ubuntu: sudo apt-get install postgresql nats-server).");
  process.exit(1);
}
const DEAF_AFTER_SECONDS = 3;
const ALL_READY_MS = 180_000;
const DISK_MB = { postgres: 1024, gateway: 256 };

const folder = mkdtempSync(join(tmpdir(), "belay-cluster-"));
const workspace = join(folder, "workspace");
mkdirSync(workspace);
chmodSync(folder, 0o755); // PostgreSQL runs as another user
const network = openNamespaces();
const postgresDisk = openSmallDisk(join(folder, "postgres"), DISK_MB.postgres);
// However it ends: namespaces and mounts would stay.
process.once("exit", () => {
  postgresDisk.close();
  network?.close();
});
const postgres = await startPostgres(postgresBin, { parent: postgresDisk.folder });
const nats = await startNats(natsBin);
const env = {
  BELAY_DATABASE_URL: await postgres.createDatabase(),
  BELAY_CLUSTER_SECRET: "only-the-gateways-of-this-proof-know-it",
  BELAY_DEAF_AFTER_SECONDS: String(DEAF_AFTER_SECONDS),
  BELAY_WORKSPACE: workspace,
};
const gateways: ProvedGateway[] = [];
const hosts: ProvedHost[] = [];
const tickers = new Tickers(gateways);
const scene: Scene = { gateways, hosts, postgres, postgresDisk, nats, tickers };
let isFailed = false;
try {
  await openAll();
  const faults = possibleFaults(scene);
  console.log(
    `${gateways.length} gateways, ${hosts.length} hosts${network ? " in network namespaces" : ""}, ${rounds} faults of ${faults.length} kinds, seed ${seed}`,
  );
  const latencies = await measureAnswers(gateways[0] as ProvedGateway, gateways.at(-1) as ProvedGateway, startOf);
  const load = await Load.start(gateways, [
    ...gateways.map(() => ({ machine: null, workspace })),
    ...hosts.map((host) => ({ machine: host.name, workspace: host.workspace })),
  ]);
  for (const host of hosts) await tickers.start(host);

  const next = randomFrom(seed);
  const pick = <Value>(list: readonly Value[]): Value => list[Math.floor(next() * list.length)] as Value;
  const costs: Cost[] = [];
  // Every kind comes once before one comes again.
  let left: typeof faults = [];
  for (let round = 0; round < rounds; round += 1) {
    if (left.length === 0) left = [...faults];
    const [gateway, host] = [pick(gateways), pick(hosts) as ProvedHost];
    const [[fault, happen] = ["", async () => {}]] = left.splice(Math.floor(next() * left.length), 1);
    const holdMs = 500 + Math.floor(next() * (DEAF_AFTER_SECONDS * 2000));
    const refusedBefore = load.refused;
    await happen(scene, { gateway, host, holdMs });
    const healedAt = performance.now();
    await allReady();
    const backMs = performance.now() - healedAt;
    costs.push({ fault, backMs, refused: load.refused - refusedBefore });
    console.log(
      `  ${round + 1}. ${fault}, ${(holdMs / 1000).toFixed(1)} s: ready again after ${Math.round(backMs)} ms, ${load.done} commands done`,
    );
    await load.untilMore(gateways.length);
    await tickers.untilAllGoOn();
  }
  await load.stop();

  const problems = [...(await tickers.stop()), ...(await load.check())];
  for (const gateway of gateways) problems.push(...(await gateway.verify()));
  for (const id of await startedTwice()) problems.push(`${id} was started twice, by the record`);
  const table = describeCosts(costs);
  const answers = `From an answer at one gateway to the start of its command at another: p50 ${middle(latencies)} ms of ${latencies.length}, the longest ${Math.max(...latencies)} ms.`;
  console.log(`\n${table}\n\n${answers}\n`);
  console.log(
    `${load.done} commands done, ${load.refused} calls refused or cut, ${load.answered} approvals answered at two gateways at once; ${tickers.counted} numbers counted on hosts, with ${tickers.bytesBreaks} breaks of their viewers`,
  );
  for (const problem of problems) console.error(`BROKEN: ${problem}`);
  isFailed = problems.length > 0;
  console.log(isFailed ? "FAILED" : "Nothing ran twice, nothing was lost, and every chain verifies.");
  if (values.out && !isFailed) {
    const scale = `${gateways.length} gateways, ${hosts.length} machines${network ? " in network namespaces" : ""}, ${rounds} failures (\`--seed ${seed}\`) while ${load.done} commands ran and ${load.answered} approvals were each answered at two gateways at once; \`BELAY_DEAF_AFTER_SECONDS=${DEAF_AFTER_SECONDS}\`. Nothing ran twice or was lost.`;
    writeInto(values.out, `${scale}\n\n${table}`);
  }
} catch (error) {
  isFailed = true;
  console.error(error);
} finally {
  await Promise.all(hosts.map((host) => host.close()));
  for (const gateway of gateways) await gateway.close();
  await nats.close();
  await postgres.close();
  postgresDisk.close();
  if (!isFailed) rmSync(folder, { recursive: true, force: true });
  else console.error(`What is left of the data is in ${folder}; repeat it with --seed ${seed}`);
}
process.exit(isFailed ? 1 : 0);

async function openAll(): Promise<void> {
  for (let index = 0; index < Number(values.gateways); index += 1) {
    const disk = openSmallDisk(join(folder, `gateway-${index}`), DISK_MB.gateway);
    const gateway = { name: `gateway-${index}`, dataDir: disk.folder, disk, natsPort: nats.port, env };
    gateways.push(await ProvedGateway.open(gateway));
  }
  for (const gateway of gateways) await gateway.start();
  await allReady();
  for (let index = 0; index < Number(values.hosts); index += 1) {
    const gateway = gateways[index % gateways.length] as ProvedGateway;
    hosts.push(await ProvedHost.open({ name: `host-${index}`, folder, gateway, network }));
  }
  await Promise.all(hosts.map((host) => host.start()));
}

/** All gateways work and know each other, and all machines are connected. */
async function allReady(): Promise<void> {
  const until = performance.now() + ALL_READY_MS;
  for (const gateway of gateways)
    while (!(await gateway.isReady(gateways.length - 1))) {
      if (performance.now() > until) throw new Error(`${gateway.name} is not ready: ${await gateway.problems()}`);
      await delay(50);
    }
  for (const gateway of gateways)
    for (;;) {
      const connected = await gateway.connectedMachines();
      const missing = hosts.filter((host) => host.gateway === gateway && !connected.includes(host.name));
      if (missing.length === 0) break;
      if (performance.now() > until) throw new Error(`${missing.map(({ name }) => name)} did not connect again.`);
      await delay(50);
    }
}

async function startOf(commandId: string): Promise<number> {
  const rows = await postgres.asAdmin(
    env.BELAY_DATABASE_URL,
    (sql) => sql`SELECT at FROM audit_events WHERE type = 'command.started' AND command_id = ${commandId}`,
  );
  return Number(rows[0]?.at);
}

async function startedTwice(): Promise<string[]> {
  const rows = await postgres.asAdmin(
    env.BELAY_DATABASE_URL,
    (sql) =>
      sql`SELECT command_id FROM audit_events WHERE type = 'command.started' GROUP BY command_id HAVING count(*) > 1`,
  );
  return rows.map(({ command_id: id }) => String(id));
}

/** Mulberry32: the same numbers for the same seed. */
function randomFrom(start: number): () => number {
  let state = start >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
