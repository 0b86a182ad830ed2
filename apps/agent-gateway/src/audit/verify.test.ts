import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { dropTriggers, writeTestRecord } from "../testing/write-record.ts";
import { hashRow } from "./chain.ts";

test("G3 an unaltered record is intact", async () => {
  const { open } = await writeTestRecord(250);

  expect(await open().verify()).toEqual({ ok: true, rows: 250, removed: 0, unsigned: 0, checkpoints: atLeast(3) });
});

test("G2 rows cannot be changed, removed or replaced while the triggers are there", async () => {
  const { db } = await writeTestRecord(3);

  for (const statement of [
    "UPDATE audit_events SET detail = '{}'",
    "DELETE FROM audit_events WHERE seq = 2",
    "REPLACE INTO audit_events SELECT * FROM audit_events WHERE seq = 2",
  ]) {
    expect(() => db.$client.exec(statement)).toThrow("the record is append-only");
  }
});

test.each([
  ["a changed row", "UPDATE audit_events SET detail = '{\"x\":1}' WHERE seq = 120", 120, /Row 120/],
  ["a removed row", "DELETE FROM audit_events WHERE seq = 7", 7, /Row 7 is missing/],
  ["a cut tail", "DELETE FROM audit_events WHERE seq > 240", 241, /ends at row 240, but row 250 was signed/],
  ["a deleted log", "DELETE FROM audit_events", 1, /ends at row 0/],
  ["a changed hash", "UPDATE audit_events SET hash = 'ff' WHERE seq = 9", 9, /Row 9/],
  ["another beginning", "UPDATE meta SET value = 'ff' WHERE key = 'audit-genesis'", null, /replaced as a whole/],
])("G3 %s is noticed, and where", async (_what, tamper, seq, problem) => {
  const { db, open } = await writeTestRecord(250);
  dropTriggers(db);

  db.$client.exec(tamper);

  expect(await open().verify()).toMatchObject({ ok: false, seq, problem: expect.stringMatching(problem) });
});

test("G3 a rewritten chain with correct hashes contradicts the signatures", async () => {
  const { db, open } = await writeTestRecord(150);
  dropTriggers(db);
  const rows = await open().list(150);
  let hash = String(db.$client.prepare("SELECT value FROM meta WHERE key = 'audit-genesis'").pluck().get());
  for (const row of rows.reverse()) {
    const forged = row.seq === 40 ? { ...row, detail: { line: "echo innocent" } } : row;
    hash = hashRow(hash, forged);
    db.$client
      .prepare("UPDATE audit_events SET detail = ?, hash = ? WHERE seq = ?")
      .run(JSON.stringify(forged.detail), hash, row.seq);
  }

  expect(await open().verify()).toMatchObject({
    ok: false,
    seq: 100,
    problem: expect.stringContaining("written anew"),
  });
});

test("G3 a changed or added checkpoint is detected", async () => {
  const { open, file } = await writeTestRecord(250);
  const text = readFileSync(file, "utf8");

  writeFileSync(file, text.replace('"seq":200', '"seq":199'));
  const changed = await open().verify();
  writeFileSync(file, `${text}{"seq":1}\n`);
  const added = await open().verify();

  expect([changed, added]).toEqual([
    { ok: false, seq: null, problem: "Checkpoint 2 was changed or is not ours." },
    { ok: false, seq: null, problem: "Checkpoint 4 was changed or is not ours." },
  ]);
});

test("G3 a checkpoint that a crash truncated is ignored, and later ones follow", async () => {
  const { open, file } = await writeTestRecord(120);
  writeFileSync(file, `${readFileSync(file, "utf8")}{"genesis":"ab`);

  const reopened = open();
  await reopened.append({ type: "gateway.started", actor: { type: "system" } });
  await reopened.close();

  expect(await open().verify()).toEqual({ ok: true, rows: 121, removed: 0, unsigned: 0, checkpoints: atLeast(4) });
});

test("G3 a deleted or truncated checkpoint file is detected", async () => {
  const { open, file } = await writeTestRecord(250);
  const [first] = readFileSync(file, "utf8").split("\n");

  writeFileSync(file, `${first}\n`);
  const shortened = await open().verify();
  rmSync(file);
  const deleted = await open().verify();

  expect([shortened, deleted]).toEqual([
    { ok: false, seq: 101, problem: "Rows from 101 on are not signed: checkpoints were removed." },
    { ok: false, seq: 1, problem: "Rows from 1 on are not signed: checkpoints were removed." },
  ]);
});

test("G3 truncation together with checkpoints is detected by the gateway that wrote the rows", async () => {
  const { db, open, file } = await writeTestRecord(250);
  const running = open();
  const checkpoints = readFileSync(file, "utf8").split("\n");
  dropTriggers(db);

  db.$client.exec("DELETE FROM audit_events WHERE seq > 200");
  writeFileSync(file, `${checkpoints.slice(0, 2).join("\n")}\n`);

  expect(await running.verify()).toEqual({
    ok: false,
    seq: 201,
    problem: "The record ends at row 200, but this gateway wrote row 250: its tail was cut.",
  });
});

test("G3 a copy of the checkpoints elsewhere detects truncation together with checkpoints", async () => {
  const { db, open, file } = await writeTestRecord(250);
  const copy = readFileSync(file, "utf8").trimEnd().split("\n");
  dropTriggers(db);
  db.$client.exec("DELETE FROM audit_events WHERE seq > 200");
  writeFileSync(file, `${copy.slice(0, 2).join("\n")}\n`);

  expect(await open().verify()).toMatchObject({ ok: true });
  expect(await open().verify(copy)).toMatchObject({ ok: false, seq: 201, problem: expect.stringContaining("cut") });
  expect(await open().verify([...copy, "{}"])).toMatchObject({
    ok: false,
    problem: expect.stringContaining("not ours"),
  });
});

test("G3 a record that was truncated and then continued contradicts the signatures", async () => {
  const { db, open, file } = await writeTestRecord(150);
  const signed = readFileSync(file, "utf8");
  dropTriggers(db);
  db.$client.exec("DELETE FROM audit_events WHERE seq > 120");

  // Without the checkpoints, because with them the gateway would refuse to start.
  rmSync(file);
  const next = open();
  for (let row = 0; row < 30; row += 1) await next.append({ type: "gateway.started", actor: { type: "system" } });
  await next.close();
  writeFileSync(file, signed + readFileSync(file, "utf8"));

  expect(await open().verify()).toMatchObject({
    ok: false,
    seq: 150,
    problem: expect.stringContaining("signed twice"),
  });
});

/** A slow machine signs more often, because rows are also signed after a time. */
function atLeast(count: number): unknown {
  return expect.toSatisfy((found: number) => found >= count, `at least ${count}`);
}
