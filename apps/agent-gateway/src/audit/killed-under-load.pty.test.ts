import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { AuditEvent } from "@belay/protocol";
import { expect, onTestFinished, test } from "vitest";
import { MIGRATIONS_DIR } from "../paths.ts";
import { openDatabase } from "../store/sqlite/open-database.ts";
import { belayJson, runBelay } from "../testing/belay-process.ts";
import { TestAgent } from "../testing/test-agent.ts";
import { AuditLog } from "./audit-log.ts";
import { readRows } from "./rows.ts";
import { Checkpoints } from "./signing/checkpoints.ts";
import { SqliteStorage } from "./storage/sqlite-storage.ts";

// A few rounds here; `pnpm --filter @belay/agent-gateway kill-rounds` runs many, with another seed each time.
const ROUNDS = Number(process.env.KILL_ROUNDS ?? 4);
const SEED = Number(process.env.KILL_SEED ?? 1);
const AGENTS = 3;

test("G2 kill -9 under load, again and again, loses no row that was acknowledged and breaks no chain", {
  timeout: 30_000 + ROUNDS * 20_000,
}, async () => {
  const dataDir = mkdtempSync(join(tmpdir(), "belay-kill-"));
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
  const random = randomFrom(SEED);
  const tokens: string[] = [];
  while (tokens.length < AGENTS) tokens.push(await addAgent(dataDir, `agent-${tokens.length}`));
  const acknowledged: string[] = [];

  for (let round = 1; round <= ROUNDS; round += 1) {
    const gateway = runBelay(dataDir, ["start"]);
    const url = await gateway.ready;
    const killAfter = acknowledged.length + 1 + Math.floor(random() * 25);
    // After some turns of the event loop, so that it dies in the middle of other work.
    const turns = Math.floor(random() * 200);
    const kill = () => afterTurns(turns, () => gateway.child.kill("SIGKILL"));
    await Promise.all(
      tokens.map((token, index) => {
        const name = (step: number) => `r${round}a${index}s${step}`;
        return load(url, token, name, (line) => {
          acknowledged.push(line);
          if (acknowledged.length === killAfter) kill();
        });
      }),
    );
    await gateway.ended;

    const { verification, closed } = await readRecord(dataDir);
    expect(verification, `seed ${SEED}, round ${round}`).toMatchObject({ ok: true });
    expect(acknowledged.filter((line) => !closed.has(line))).toEqual([]);
  }

  // The next one closes what the killed ones left open, each once.
  const last = runBelay(dataDir, ["start"]);
  await last.ready;
  last.child.kill("SIGTERM");
  expect(await last.ended).toMatchObject({ code: 0, stderr: "" });
  const { verification, counts } = await readRecord(dataDir);
  expect(verification).toMatchObject({ ok: true, unsigned: 0 });
  for (const [id, { opened, closed }] of counts) expect({ id, opened, closed }).toEqual({ id, opened: 1, closed: 1 });
});

/** Runs commands in sequence until the gateway is gone. */
async function load(url: string, token: string, name: (step: number) => string, onDone: (line: string) => void) {
  try {
    const agent = await TestAgent.connect(url, token);
    for (let step = 0; ; step += 1) {
      const line = `echo ${name(step)}`;
      const reply = await agent.call("terminal", { command: line });
      if (reply.exit_code === 0) onDone(line);
    }
  } catch {
    // It was killed: only what was acknowledged until then counts.
  }
}

async function readRecord(dataDir: string) {
  const db = openDatabase(join(dataDir, "belay.db"), MIGRATIONS_DIR);
  try {
    const checkpoints = new Checkpoints({
      file: join(dataDir, "audit-checkpoints.jsonl"),
      keyFile: join(dataDir, "keys", "audit-ed25519.pem"),
    });
    const storage = new SqliteStorage(db, { now: Date.now, signed: checkpoints.latest() });
    const verification = await new AuditLog({ db, storage, now: Date.now, checkpoints }).verify();
    const lines = new Map<string, string>();
    const closed = new Set<string>();
    const counts = new Map<string, { opened: number; closed: number }>();
    for await (const { type, commandId, detail } of readRows(db, 0)) {
      if (commandId === null) continue;
      if (type === "command.opened") lines.set(commandId, String(detail.line));
      if (type === "command.closed") closed.add(lines.get(commandId) ?? "");
      const count = counts.get(commandId) ?? { opened: 0, closed: 0 };
      counts.set(commandId, { opened: count.opened + is(type, "opened"), closed: count.closed + is(type, "closed") });
    }
    return { verification, closed, counts };
  } finally {
    db.$client.close();
  }
}

function is(type: AuditEvent["type"], step: "opened" | "closed"): number {
  return type === `command.${step}` ? 1 : 0;
}

async function addAgent(dataDir: string, name: string): Promise<string> {
  return ((await belayJson(dataDir, "agent", "add", name)) as { token: string }).token;
}

function afterTurns(turns: number, act: () => void): void {
  if (turns === 0) act();
  else setImmediate(() => afterTurns(turns - 1, act));
}

/** Mulberry32: reproducible by seed. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
