import { expect, test } from "vitest";
import { GatewayError } from "../errors.ts";
import { writeTestRecord } from "../testing/write-record.ts";
import type { NewAuditEvent } from "./audit-log.ts";

const row = (line: string): NewAuditEvent => ({
  type: "command.judged",
  actor: { type: "agent", id: "agt-1" },
  detail: { line },
});

const linesOf = (events: { detail: unknown }[]) => events.map(({ detail }) => (detail as { line: string }).line);

test("G2 concurrent rows share a commit, in order", async () => {
  const { db, open } = await writeTestRecord(0);
  const audit = open();
  let inTransaction = 0;
  const count = () => {
    if (db.$client.inTransaction) inTransaction += 1;
    return [];
  };

  await Promise.all([
    audit.append(row("a"), count),
    audit.appendAll([row("b"), row("c")], count),
    audit.append(row("d")),
  ]);

  expect(inTransaction).toBe(2);
  expect(db.$client.inTransaction).toBe(false);
  expect(linesOf(await audit.list(10)).reverse()).toEqual(["a", "b", "c", "d"]);
  expect(await audit.verify()).toMatchObject({ ok: true, rows: 4 });
});

test("G2 one caller's error rolls back only its own rows", async () => {
  const { open } = await writeTestRecord(0);
  const audit = open();
  const refuse = () => [
    { execute: () => 0, refusal: () => new GatewayError("already-settled", "It was closed already.") },
  ];

  const results = await Promise.allSettled([
    audit.append(row("a")),
    audit.appendAll([row("b"), row("c")], refuse),
    audit.append(row("d")),
  ]);

  expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  expect(linesOf(await audit.list(10)).reverse()).toEqual(["a", "d"]);
  expect(await audit.verify()).toMatchObject({ ok: true, rows: 2 });
});

test("G2 if the database fails, no caller is told that its row was written", async () => {
  const { db, open } = await writeTestRecord(0);
  const audit = open();
  db.$client.exec("CREATE TRIGGER no_more BEFORE INSERT ON audit_events BEGIN SELECT RAISE(ABORT, 'disk full'); END");

  const results = await Promise.allSettled([audit.append(row("a")), audit.append(row("b"))]);
  db.$client.exec("DROP TRIGGER no_more");
  await audit.append(row("c"));

  expect(results.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  expect(linesOf(await audit.list(10))).toEqual(["c"]);
  expect(await audit.verify()).toMatchObject({ ok: true, rows: 1 });
});

test("G2 however many rows come at once, no more than a hundred in a row are without a signature", async () => {
  const { open } = await writeTestRecord(0);
  const audit = open();
  for (let burst = 0; burst < 4; burst += 1)
    await Promise.all(
      Array.from({ length: 75 }, (_, at) => audit.appendAll([row(`a${at}`), row(`b${at}`), row(`c${at}`)])),
    );
  expect(await audit.verify()).toMatchObject({ ok: true, rows: 900 });

  const pending = Promise.all(Array.from({ length: 250 }, (_, at) => audit.append(row(String(at)))));
  await audit.flush();
  await pending;
  expect(await audit.verify()).toMatchObject({ ok: true, rows: 1150 });
  await audit.close();
  expect(await open().verify()).toMatchObject({ ok: true, rows: 1150, unsigned: 0 });
});
