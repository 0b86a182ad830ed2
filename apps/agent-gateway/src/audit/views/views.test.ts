import { expect, test } from "vitest";
import { commit } from "../../store/queries.ts";
import { insertCommand } from "../../store/tables/commands.ts";
import { dropTriggers, openTestRecord, writeTestRecord } from "../../testing/write-record.ts";
import { readCharts } from "./charts.ts";
import { type VerifyStep, verifyInSteps } from "./verify-steps.ts";

const robot = { type: "agent", id: "agt-robot1" } as const;
const never = new AbortController().signal;

test("W5 a row shows the previous hash and the signature that covers it", async () => {
  const record = await writeTestRecord(3);
  const log = record.open();
  const [third, second, first] = await log.list(3);

  expect(await log.place(2)).toEqual({
    event: second,
    previousHash: first?.hash,
    nextSeq: 3,
    checkpoint: { seq: 3, at: record.clock.now },
    redaction: null,
  });
  expect(await log.place(3)).toMatchObject({ event: third, nextSeq: null });
  expect((await log.place(1))?.previousHash).toMatch(/^[0-9a-f]{64}$/);
  expect(await log.place(4)).toBeNull();

  const { seq } = await log.append({ type: "gateway.started", actor: { type: "system" } });
  expect(await log.place(seq)).toMatchObject({ checkpoint: null });
  await log.close();
});

test("W5 verifying reports progress and the result", async () => {
  const record = await writeTestRecord(5);
  const log = record.open();

  expect((await stepsOf(log)).at(-1)).toEqual({
    type: "done",
    result: { ok: true, rows: 5, removed: 0, unsigned: 0, checkpoints: 1 },
  });
  expect((await stepsOf(log))[0]).toEqual({ type: "reading", rows: 0, of: 5 });

  dropTriggers(record.db);
  record.db.$client.exec("UPDATE audit_events SET detail = '{}' WHERE seq = 4");
  expect((await stepsOf(log)).at(-1)).toMatchObject({ type: "done", result: { ok: false, seq: 4 } });
});

test("W5 charts count verdicts by the hour, waits, who answers, and what is asked most", async () => {
  const { db, clock, open } = openTestRecord();
  const hour = 3_600_000;
  const log = open();
  for (const [at, decision] of [
    [hour, "allow"],
    [hour + 5, "deny"],
    [3 * hour, "ask"],
    [9 * hour, "allow"],
  ] as const) {
    clock.now = at;
    await log.append({ type: "command.judged", actor: robot, detail: { decision } });
  }
  await log.append({ type: "command.opened", actor: robot, detail: { decision: "allow" } });
  await log.close();
  for (const [id, closedAt] of [
    ["cmd-1", hour],
    ["cmd-2", 2 * hour],
    ["cmd-3", 9 * hour],
  ] as const)
    await commit(
      insertCommand(db, {
        id,
        agentId: robot.id,
        terminalId: null,
        line: "x",
        request: null,
        openedAt: 0,
        startedAt: null,
        closedAt,
        outcome: null,
      }),
    );
  const insert = db.$client.prepare(
    "INSERT INTO approvals (id, command_id, agent_id, text, cwd, policy_version, verdict, approvers_needed, created_at, status, state) VALUES (?, 'cmd-1', 'agt-robot1', ?, '/', 'v', '{}', 1, ?, ?, ?)",
  );
  const answered = (status: string, by: unknown, at: number) => [status, JSON.stringify({ status, by, at })];
  insert.run("apr-1", "make deploy", hour, ...answered("approved", ["ada"], hour + 1_000));
  insert.run("apr-2", "make deploy", hour, ...answered("approved", ["ada"], hour + 3_000));
  insert.run("apr-3", "make wipe", hour, ...answered("denied", "bob", hour + 9_000));
  insert.run("apr-4", "make late", hour, ...answered("expired", undefined, 2 * hour));
  insert.run("apr-5", "too late", 9 * hour, ...answered("approved", ["ada"], 9 * hour));

  const charts = await readCharts(db, { from: 0, to: 8 * hour });

  expect(charts.verdicts.stepMs).toBe(15 * 60_000);
  expect(charts.verdicts.steps.filter(({ allow, ask, deny }) => allow + ask + deny > 0)).toEqual([
    { at: hour, allow: 1, ask: 0, deny: 1 },
    { at: 3 * hour, allow: 0, ask: 1, deny: 0 },
  ]);
  expect(charts.waits).toEqual({ answered: 3, medianMs: 3_000, worstMs: 9_000, expired: 1 });
  expect(charts.answerers).toEqual([
    { personId: "ada", approved: 2, denied: 0, medianMs: 1_000 },
    { personId: "bob", approved: 0, denied: 1, medianMs: 9_000 },
  ]);
  expect(charts.agents).toEqual([{ agentId: robot.id, commands: 2 }]);
  expect(charts.asked[0]).toMatchObject({ text: "make deploy", asked: 2, approved: 2, denied: 0 });
});

async function stepsOf(log: Parameters<typeof verifyInSteps>[0]): Promise<VerifyStep[]> {
  const steps: VerifyStep[] = [];
  for await (const step of verifyInSteps(log, never)) steps.push(step);
  return steps;
}
