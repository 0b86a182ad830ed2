import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { openRecorder, openRecording, verifyRecording } from "@belay/core";
import type { Approval, ApprovalId, CommandId } from "@belay/protocol";
import { expect, test } from "vitest";
import { commit } from "../../store/queries.ts";
import { insertApproval, insertGrant } from "../../store/tables/approvals.ts";
import { insertCommandChanges } from "../../store/tables/changes/command-changes.ts";
import { insertClientCall } from "../../store/tables/client-calls.ts";
import { insertCommand } from "../../store/tables/commands.ts";
import { insertProposal } from "../../store/tables/policy-versions.ts";
import { pendingQuestion } from "../../testing/database/pending-question.ts";
import { dropTriggers, openTestRecord } from "../../testing/write-record.ts";
import { Redactions } from "./redactions.ts";

const robot = { type: "agent", id: "agt-robot1" } as const;
const ada = { type: "person", id: "ada" } as const;
const SECRET = "hunter2-leaked";

async function leak() {
  const record = openTestRecord();
  const log = record.open();
  const about = { actor: robot, commandId: "cmd-1", terminalId: "pty-1" } as const;
  await log.append({ type: "gateway.started", actor: { type: "system" } });
  await log.append({ ...about, type: "command.opened", detail: { line: `deploy ${SECRET}` } });
  await log.append({ ...about, type: "command.judged", detail: { decision: "allow", runs: [`deploy ${SECRET}`] } });
  await log.append({ ...about, type: "command.closed", detail: { status: "ran", exitCode: 0 } });
  await commit(
    insertCommand(record.db, {
      id: "cmd-1",
      agentId: robot.id,
      terminalId: "pty-1",
      line: `deploy ${SECRET}`,
      request: null,
      openedAt: 0,
      startedAt: 1,
      closedAt: 2,
      outcome: JSON.stringify({ status: "failed", message: SECRET }),
    }),
  );
  const forgotten: string[] = [];
  const redactions = new Redactions({
    db: record.db,
    audit: log,
    recordingsDir: record.folder,
    onRecordingChanged: () => {},
    forgetHistory: async (workspace) => void forgotten.push(workspace),
  });
  return { ...record, log, redactions, forgotten };
}

test("G2 a redacted row says by whom and why; the chain still verifies", async () => {
  const { log, redactions } = await leak();
  const before = await log.place(2);

  expect(await redactions.redactRows({ seq: 2 }, { reason: "A password.", by: ada })).toMatchObject({ rows: 1 });

  const after = await log.place(2);
  expect(after?.event).toEqual({ ...before?.event, detail: { redacted: true } });
  expect(after?.redaction).toMatchObject({ type: "audit.redacted", actor: ada, detail: { reason: "A password." } });
  expect(await log.verify()).toMatchObject({ ok: true, rows: 5, redacted: 1 });
  await expect(redactions.redactRows({ seq: 2 }, { reason: "again", by: ada })).rejects.toThrow(/nothing to redact/);
  await expect(redactions.redactRows({ seq: 5 }, { reason: "the proof", by: ada })).rejects.toThrow(/itself a proof/);
  await log.close();
});

test("G2 a redacted command is gone from every table, from the search and from the file", async () => {
  const { db, folder, log, redactions, forgotten } = await leak();

  expect(await redactions.redactRows({ commandId: "cmd-1" }, { reason: "A password.", by: ada })).toMatchObject({
    rows: 3,
  });

  expect((await log.search({ text: SECRET }, { cursor: null, limit: 10 })).events).toEqual([]);
  expect(db.$client.prepare("SELECT line, outcome FROM commands").all()).toEqual([
    { line: "(redacted)", outcome: '{"status":"failed","message":"(redacted)"}' },
  ]);
  for (const name of ["belay.db", "belay.db-wal"])
    expect((await readFile(join(folder, name))).includes(SECRET), name).toBe(false);
  expect(await log.verify()).toMatchObject({ ok: true, redacted: 3 });
  expect(forgotten).toEqual([]);
  await log.close();
});

test("G2 G9 so is the call of a client, and the undo history of its workspace where that is asked for", async () => {
  const { db, folder, log, redactions, forgotten } = await leak();
  await commit(
    insertClientCall(db, {
      ...{ commandId: "cmd-1", agentId: robot.id, client: "claude", session: "s", callId: "1" },
      ...{ line: `deploy ${SECRET}`, cwd: "/", openedAt: 1 },
    }),
  );
  await commit(
    insertCommandChanges(db, {
      ...{ commandId: "cmd-1", workspace: "/srv/shop", epoch: "e", fromSeq: 1, toSeq: 2, endedAt: 2 },
      ...{ counts: null, problem: null, undoes: null, by: null },
    }),
  );

  const how = { reason: "A password.", by: ada, forgetsHistory: true };
  expect(await redactions.redactRows({ commandId: "cmd-1" }, how)).toEqual({ rows: 3, forgottenHistory: "/srv/shop" });

  expect(db.$client.prepare("SELECT line FROM client_calls").pluck().all()).toEqual(["(redacted)"]);
  expect(forgotten).toEqual(["/srv/shop"]);
  expect((await log.list(1))[0]?.detail).toMatchObject({ forgottenHistory: "/srv/shop" });
  for (const name of ["belay.db", "belay.db-wal"])
    expect((await readFile(join(folder, name))).includes(SECRET), name).toBe(false);
  await log.close();
});

test("G2 W3 so are the question to a person, its grant, and the rule that was proposed from it; others stay", async () => {
  const { db, folder, log, redactions } = await leak();
  for (const [id, commandId, text] of [
    ["apr-1", "cmd-1", `deploy ${SECRET}`],
    ["apr-2", "cmd-2", "make"],
  ] as const) {
    await commit(insertApproval(db, question({ id, commandId, text })));
    await insertGrant(db, { approvalId: id, subject: question({ id, commandId, text }).subject, expiresAt: null });
    const rules = JSON.stringify([{ match: [text] }]);
    await insertProposal(db, { id: `of-${id}`, approvalId: id, rules, author: ada, at: 1, status: "open" });
  }

  await redactions.redactRows({ commandId: "cmd-1" }, { reason: "A password.", by: ada });

  const column = (sql: string) => db.$client.prepare(sql).pluck().all();
  expect(column("SELECT id FROM policy_proposals")).toEqual(["of-apr-2"]);
  expect(column("SELECT approval_id FROM grants")).toEqual(["apr-2"]);
  expect(column("SELECT text FROM approvals ORDER BY id")).toEqual(["(redacted)", "make"]);
  for (const name of ["belay.db", "belay.db-wal"])
    expect((await readFile(join(folder, name))).includes(SECRET), name).toBe(false);
  await log.close();
});

function question(asked: { id: ApprovalId; commandId: CommandId; text: string }): Approval {
  return {
    ...pendingQuestion({ ...asked, agentId: robot.id }),
    state: {
      ...{ status: "approved", by: ["ada"], at: 2, scope: { type: "always" } },
      editedText: `${asked.text} --edited`,
    },
  };
}

test("G3 a row counts as redacted only if the record declares it, and may not change otherwise", async () => {
  const { db, log, redactions } = await leak();
  const { $client } = db;
  const erase = (seq: number) =>
    $client.exec(`UPDATE audit_events SET detail = '{"redacted":true}' WHERE seq = ${seq}`);
  expect(() => erase(3)).toThrow(/append-only/);

  await redactions.redactRows({ seq: 2 }, { reason: "A password.", by: ada });
  expect(() => $client.exec("UPDATE audit_events SET detail = '{}' WHERE seq = 2")).toThrow(/append-only/);

  dropTriggers(db);
  erase(3);
  expect(await log.verify()).toMatchObject({ ok: false, seq: 3 });
  $client.exec(`UPDATE audit_events SET detail = '{"decision":"allow","runs":["deploy ${SECRET}"]}' WHERE seq = 3`);
  expect(await log.verify()).toMatchObject({ ok: true });

  $client.exec("UPDATE audit_events SET at = at + 1 WHERE seq = 2");
  expect(await log.verify()).toMatchObject({ ok: false, seq: 2 });
  await log.close();
});

test("G4 a stretch of a recording is blanked, with the text of its commands; the rest stays, and it still verifies", async () => {
  const { log, folder, redactions } = await leak();
  let now = 1_000;
  const recorder = await openRecorder({
    dir: folder,
    header: { terminalId: "pty-1", startedAt: 1_000, cols: 80, rows: 24, title: "" },
    now: () => now,
  });
  await recorder.append(Buffer.from("before\r\n"));
  now = 3_000;
  recorder.mark({ kind: "commandStarted", commandId: "cmd-1", line: `echo ${SECRET}` });
  await recorder.append(Buffer.from(`${SECRET}\r\n`));
  now = 9_000;
  await recorder.append(Buffer.from("after\r\n"));
  const redact = () =>
    redactions.redactRecording("pty-1", { fromMs: 1_500, toMs: 2_500 }, { reason: "leaked", by: ada });
  await expect(redact()).rejects.toThrow(/still open/);
  await recorder.close({ exitCode: 0 });

  expect((await redact()).bytes).toBe(SECRET.length + 2);

  const files = await Promise.all(["pty-1.raw", "pty-1.index"].map((name) => readFile(join(folder, name), "utf8")));
  expect(files.join("")).not.toContain(SECRET);
  expect(files[0]).toBe(`before\r\n${" ".repeat(SECRET.length)}\r\nafter\r\n`);
  expect(await verifyRecording(folder, "pty-1")).toEqual({ isIntact: true });
  const recording = await openRecording(folder, "pty-1");
  expect(await recording?.readDurationMs()).toBe(8_000);
  await recording?.close();
  expect((await log.list(1))[0]).toMatchObject({ type: "recording.redacted", actor: ada, terminalId: "pty-1" });
  await log.close();
});
