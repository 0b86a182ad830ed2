import { startBelay } from "./harness/belay.ts";
import { commandsPerSecond, connectAgents } from "./harness/mcp-agent.ts";
import { median } from "./harness/measure.ts";
import { startProgram } from "./harness/programs.ts";
import { addRow } from "./harness/report.ts";

// What PostgreSQL costs instead of SQLite, and what more gateways on one server bring. Both sync every commit to the same disk.
const ROUNDS = 3;
const AGENTS = 20;
const RUNS_EACH = 25;
const COMMANDS = 1_000;
const GATEWAYS = [1, 2, 4];

const server = startProgram("database/serve-postgres.ts", String(ROUNDS * GATEWAYS.length + 1));
const urls = JSON.parse(await server.nextLine()) as string[] | null;
if (urls === null) {
  console.log("PostgreSQL is not installed, so it is not measured (Debian, Ubuntu: sudo apt-get install postgresql).");
} else {
  try {
    await compareFullPath(urls.pop() as string);
    await compareRecords(urls);
  } finally {
    server.child.stdin?.end();
    await server.ended;
  }
}

/** Commands by MCP, judged, recorded and run, with one gateway. */
async function compareFullPath(url: string): Promise<void> {
  const [sqlite, postgres] = [await fullPathPerSecond({}), await fullPathPerSecond({ BELAY_DATABASE_URL: url })];
  addRow({
    what: `${AGENTS} agents at once, audited commands a second: PostgreSQL, against SQLite`,
    measured: `${postgres.toFixed(0)} /s`,
    value: postgres / sqlite,
    goal: null,
    peers: { SQLite: `${sqlite.toFixed(0)} /s` },
  });
}

async function fullPathPerSecond(env: Record<string, string>): Promise<number> {
  const belay = await startBelay({ env });
  try {
    return await commandsPerSecond(await connectAgents([belay], AGENTS), RUNS_EACH);
  } finally {
    await belay.close();
  }
}

/** Only the record of commands, without terminals: what one server can take from several gateways. */
async function compareRecords(urls: string[]): Promise<void> {
  const rates = new Map<string, number[]>();
  const add = (name: string, rate: number) => rates.set(name, [...(rates.get(name) ?? []), rate]);
  for (let round = 0; round < ROUNDS; round += 1) {
    add("SQLite", await recordsPerSecond("sqlite", 1));
    for (const gateways of GATEWAYS) add(String(gateways), await recordsPerSecond(urls.pop() as string, gateways));
  }
  const sqlite = median(rates.get("SQLite") ?? []);
  for (const gateways of GATEWAYS) {
    const rate = median(rates.get(String(gateways)) ?? []);
    addRow({
      what: `recorded commands a second, ${gateways} gateway${gateways === 1 ? "" : "s"} on one PostgreSQL, against one on SQLite`,
      measured: `${rate.toFixed(0)} /s`,
      value: rate / sqlite,
      goal: null,
      peers: { SQLite: `${sqlite.toFixed(0)} /s` },
    });
  }
}

async function recordsPerSecond(place: string, gateways: number): Promise<number> {
  const writers = Array.from({ length: gateways }, () =>
    startProgram("database/record-commands.ts", place, String(COMMANDS), String(AGENTS)),
  );
  for (const { nextLine } of writers) await nextLine();
  for (const { child } of writers) child.stdin?.end();
  const times = await Promise.all(writers.map(async ({ nextLine }) => Number(await nextLine())));
  await Promise.all(writers.map(({ ended }) => ended));
  return ((gateways * COMMANDS) / Math.max(...times)) * 1000;
}
