import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { MIGRATIONS_DIR } from "../paths.ts";
import { openDatabase } from "../store/database.ts";
import { AuditLog } from "./audit-log.ts";
import { hashRow } from "./chain.ts";
import { Checkpoints } from "./checkpoints.ts";

test("G3 a record that nobody touched is whole", async () => {
  const { log } = await writeRecord(250);

  expect(await log().verify()).toEqual({ ok: true, rows: 250, checkpoints: 3 });
});

test("G2 rows cannot be changed, removed or replaced while the triggers are there", async () => {
  const { db } = await writeRecord(3);

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
  const { db, log } = await writeRecord(250);
  dropTriggers(db);

  db.$client.exec(tamper);

  expect(await log().verify()).toMatchObject({ ok: false, seq, problem: expect.stringMatching(problem) });
});

test("G3 a chain that was written anew, with right hashes, differs from what was signed", async () => {
  const { db, log } = await writeRecord(150);
  dropTriggers(db);
  const rows = await log().list(150);
  let hash = String(db.$client.prepare("SELECT value FROM meta WHERE key = 'audit-genesis'").pluck().get());
  for (const row of rows.reverse()) {
    const forged = row.seq === 40 ? { ...row, detail: { line: "echo innocent" } } : row;
    hash = hashRow(hash, forged);
    db.$client
      .prepare("UPDATE audit_events SET detail = ?, hash = ? WHERE seq = ?")
      .run(JSON.stringify(forged.detail), hash, row.seq);
  }

  expect(await log().verify()).toMatchObject({ ok: false, seq: 100, problem: expect.stringContaining("written anew") });
});

test("G3 a checkpoint that was changed or added is noticed", async () => {
  const { log, file } = await writeRecord(250);
  const text = readFileSync(file, "utf8");

  writeFileSync(file, text.replace('"seq":200', '"seq":199'));
  const changed = await log().verify();
  writeFileSync(file, `${text}{"seq":1}\n`);
  const added = await log().verify();

  expect([changed, added]).toEqual([
    { ok: false, seq: null, problem: "Checkpoint 2 was changed or is not ours." },
    { ok: false, seq: null, problem: "Checkpoint 4 was changed or is not ours." },
  ]);
});

test("G3 a checkpoint that a crash cut in half does not count, and later ones follow", async () => {
  const { log, file } = await writeRecord(120);
  writeFileSync(file, `${readFileSync(file, "utf8")}{"genesis":"ab`);

  const reopened = log();
  await reopened.append({ type: "gateway.started", actor: { type: "system" } });
  reopened.close();

  expect(await log().verify()).toEqual({ ok: true, rows: 121, checkpoints: 3 });
});

/** A record of so many rows, closed as a gateway would close it. */
async function writeRecord(rows: number) {
  const folder = mkdtempSync(join(tmpdir(), "belay-audit-"));
  const db = openDatabase(join(folder, "belay.db"), MIGRATIONS_DIR);
  onTestFinished(() => {
    db.$client.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const file = join(folder, "checkpoints.jsonl");
  const keyFile = join(folder, "key.pem");
  const open = () => new AuditLog({ db, now: () => 1_000, checkpoints: new Checkpoints({ file, keyFile }) });
  const writer = open();
  for (let row = 0; row < rows; row += 1) {
    await writer.append({ type: "command.opened", actor: { type: "system" }, detail: { line: `echo ${row}` } });
  }
  writer.close();
  return { db, file, log: open };
}

function dropTriggers({ $client }: ReturnType<typeof openDatabase>): void {
  $client.exec("DROP TRIGGER audit_events_no_update; DROP TRIGGER audit_events_no_delete");
}
