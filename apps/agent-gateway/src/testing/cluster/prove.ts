import { appendFileSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { parseArgs } from "node:util";
import { findPostgres, startPostgres } from "../database/postgres-server.ts";
import { measureAnswers } from "./measure-answers.ts";
import { findNats, startNats } from "./nats-server.ts";
import { Load } from "./prove-load.ts";
import { ProvedGateway } from "./proved-gateway.ts";

/**
 * Proves what several gateways promise: agents work, people answer at two gateways at once, and a seeded plan of faults
 * kills gateways, NATS and PostgreSQL and cuts links. Afterwards no command has run twice, none that was reported as done
 * is missing, no approval is left, and every chain of the record verifies. Prints what each kind of failure cost.
 */
const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "12" },
    gateways: { type: "string", default: "3" },
    seed: { type: "string", default: String(Date.now() % 1e6) },
    out: { type: "string" },
  },
});
const [rounds, count, seed] = [Number(values.rounds), Number(values.gateways), Number(values.seed)];
const [postgresBin, natsBin] = [findPostgres(), findNats()];
if (postgresBin === null || natsBin === null) {
  console.error("This needs PostgreSQL and NATS (Debian, Ubuntu: sudo apt-get install postgresql nats-server).");
  process.exit(1);
}
const DEAF_AFTER_SECONDS = 3;
const ALL_READY_MS = 90_000;

const folder = mkdtempSync(join(tmpdir(), "belay-cluster-"));
const workspace = join(folder, "workspace");
mkdirSync(workspace);
const postgres = await startPostgres(postgresBin);
const nats = await startNats(natsBin);
const env = {
  BELAY_DATABASE_URL: await postgres.createDatabase(),
  BELAY_CLUSTER_SECRET: "only-the-gateways-of-this-proof-know-it",
  BELAY_DEAF_AFTER_SECONDS: String(DEAF_AFTER_SECONDS),
  BELAY_WORKSPACE: workspace,
};
const gateways: ProvedGateway[] = [];
let isFailed = false;
try {
  for (let index = 0; index < count; index += 1) {
    const dataDir = join(folder, `gateway-${index}`);
    mkdirSync(dataDir);
    gateways.push(await ProvedGateway.open({ name: `gateway-${index}`, dataDir, natsPort: nats.port, env }));
  }
  for (const gateway of gateways) await gateway.start();
  console.log(`${count} gateways, ${rounds} faults, seed ${seed}`);
  await allReady(gateways, ALL_READY_MS);
  const [asked, answering] = gateways as [ProvedGateway, ProvedGateway];
  const latencies = await measureAnswers(asked, answering, async (commandId) => {
    const rows = await postgres.asAdmin(
      env.BELAY_DATABASE_URL,
      (sql) => sql`SELECT at FROM audit_events WHERE type = 'command.started' AND command_id = ${commandId}`,
    );
    return Number(rows[0]?.at);
  });
  const load = await Load.start(gateways, workspace);

  const next = randomFrom(seed);
  const pick = <Value>(list: readonly Value[]): Value => list[Math.floor(next() * list.length)] as Value;
  const costs: { fault: string; backMs: number; refused: number }[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const gateway = pick(gateways);
    const fault = pick(["kill gateway", "stop gateway", "cut link", "kill NATS", "kill PostgreSQL"] as const);
    const holdMs = 500 + Math.floor(next() * (DEAF_AFTER_SECONDS * 2000));
    const refusedBefore = load.refused;
    const startedAt = performance.now();
    if (fault === "kill gateway") {
      await gateway.kill();
      await delay(holdMs);
      await gateway.start();
    } else if (fault === "stop gateway") {
      gateway.signal("SIGSTOP");
      await delay(holdMs);
      gateway.signal("SIGCONT");
    } else if (fault === "cut link") {
      gateway.link.cut();
      await delay(holdMs);
      gateway.link.heal();
    } else {
      const server = fault === "kill NATS" ? nats : postgres;
      await server.kill();
      await delay(holdMs);
      await server.start();
    }
    const healedAt = performance.now();
    await allReady(gateways, ALL_READY_MS);
    costs.push({ fault, backMs: performance.now() - healedAt, refused: load.refused - refusedBefore });
    console.log(
      `  ${round + 1}. ${fault}, ${(holdMs / 1000).toFixed(1)} s: ready again after ${Math.round(performance.now() - healedAt)} ms (${Math.round(performance.now() - startedAt)} ms in all), ${load.done} commands done`,
    );
    await load.untilMore(gateways.length);
  }
  await load.stop();

  const problems = await load.check();
  for (const gateway of gateways) problems.push(...(await gateway.verify()));
  const twice = await postgres.asAdmin(
    env.BELAY_DATABASE_URL,
    (sql) =>
      sql`SELECT command_id FROM audit_events WHERE type = 'command.started' GROUP BY command_id HAVING count(*) > 1`,
  );
  for (const row of twice) problems.push(`${row.command_id} was started twice, by the record`);
  const table = describe(costs, latencies);
  console.log(`\n${table}\n`);
  if (values.out) appendFileSync(values.out, `${table}\n`);
  console.log(
    `${load.done} commands done, ${load.refused} calls refused or cut, ${load.answered} approvals answered at two gateways at once`,
  );
  for (const problem of problems) console.error(`BROKEN: ${problem}`);
  isFailed = problems.length > 0;
  console.log(isFailed ? "FAILED" : "Nothing ran twice, nothing was lost, and every chain verifies.");
} catch (error) {
  isFailed = true;
  console.error(error);
} finally {
  for (const gateway of gateways) await gateway.close();
  await nats.close();
  await postgres.close();
  if (!isFailed) rmSync(folder, { recursive: true, force: true });
  else console.error(`The data is in ${folder}; repeat it with --seed ${seed}`);
}
process.exit(isFailed ? 1 : 0);

async function allReady(all: readonly ProvedGateway[], timeoutMs: number): Promise<void> {
  const until = performance.now() + timeoutMs;
  for (const gateway of all)
    while (!(await gateway.isReady(all.length - 1))) {
      if (performance.now() > until) throw new Error(`${gateway.name} is not ready: ${await gateway.problems()}`);
      await delay(50);
    }
}

function describe(
  costs: readonly { fault: string; backMs: number; refused: number }[],
  latencies: readonly number[],
): string {
  const kinds = [...new Set(costs.map(({ fault }) => fault))].sort();
  const rows = kinds.map((kind) => {
    const of = costs.filter(({ fault }) => fault === kind);
    const back = of.map(({ backMs }) => backMs).sort((a, b) => a - b);
    const refused = of.reduce((sum, cost) => sum + cost.refused, 0);
    return `| ${kind} | ${of.length} | ${Math.round(middle(back))} ms | ${Math.round(back.at(-1) ?? 0)} ms | ${refused} |`;
  });
  return [
    "| failure | times | all gateways ready again (median) | longest | calls refused or cut |",
    "| --- | --- | --- | --- | --- |",
    ...rows,
    "",
    `From an answer at one gateway to the start of its command at another: p50 ${middle(latencies)} ms of ${latencies.length}, the longest ${Math.max(...latencies)} ms.`,
  ].join("\n");
}

function middle(sorted: readonly number[]): number {
  return [...sorted].sort((a, b) => a - b)[Math.floor(sorted.length / 2)] ?? 0;
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
