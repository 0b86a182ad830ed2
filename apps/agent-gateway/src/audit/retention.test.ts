import { existsSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { listTrash } from "@belay/core";
import { expect, test, vi } from "vitest";
import { dropTriggers, openTestRecord } from "../testing/write-record.ts";
import { Retention, type RetentionBytes } from "./retention.ts";

const DAY_MS = 24 * 3_600_000;
const by = { type: "person", id: "ada" } as const;

test("G3 old rows are deleted, and the proof stays", async () => {
  const { log, retention, open, db } = await writeDays(10);

  const report = await retention.prune({ auditDays: 3, recordingDays: null, trashDays: null }, by);

  expect(report).toEqual({ rows: 24, recordings: 0, trashed: 0 });
  const [pruned, ...rows] = await log.list(50);
  expect(pruned).toMatchObject({ type: "audit.pruned", actor: by, detail: { fromSeq: 1, toSeq: 24, days: 3 } });
  expect(rows.map(({ seq }) => seq)).toEqual([40, 39, 38, 37, 36, 35, 34, 33, 32, 31, 30, 29, 28, 27, 26, 25]);
  expect((await log.search({ text: "day-0" }, { cursor: null, limit: 9 })).events).toEqual([]);
  await log.close();
  expect(await open().verify()).toMatchObject({ ok: true, rows: 17, removed: 24, unsigned: 0 });
  // Gone for good: also from free pages and from the full-text index.
  db.$client.pragma("wal_checkpoint(TRUNCATE)");
  expect(readFileSync(db.$client.name).includes("day-0-word")).toBe(false);
  expect(readFileSync(db.$client.name).includes("day-9-word")).toBe(true);
});

test("G3 it repeats daily, and nothing is deleted twice", async () => {
  const { retention, clock, open, log } = await writeDays(10);

  const first = await retention.prune({ auditDays: 3, recordingDays: null, trashDays: null }, by);
  const again = await retention.prune({ auditDays: 3, recordingDays: null, trashDays: null }, by);
  clock.now += DAY_MS;
  const nextDay = await retention.prune({ auditDays: 3, recordingDays: null, trashDays: null }, by);
  await log.close();

  expect([first.rows, again.rows, nextDay.rows]).toEqual([24, 0, 4]);
  expect(await open().verify()).toMatchObject({ ok: true, removed: 28 });
});

test("G3 an altered record is not sealed, and nothing is deleted", async () => {
  const { retention, log, db } = await writeDays(10);
  const triggers = db.$client.prepare("SELECT sql FROM sqlite_master WHERE type = 'trigger'").pluck().all();
  dropTriggers(db);
  db.$client.exec("UPDATE audit_events SET at = at + 1 WHERE seq = 2");
  for (const sql of triggers) db.$client.exec(String(sql));

  await expect(retention.prune({ auditDays: 3, recordingDays: null, trashDays: null }, by)).rejects.toMatchObject({
    code: "record-not-whole",
    message: expect.stringContaining("Row 2"),
  });
  expect(await log.list(50)).toHaveLength(40);
});

test("G3 rows beyond the seal still cannot be deleted, and deleting them anyway is detected", async () => {
  const { retention, db, log } = await writeDays(10);
  await retention.prune({ auditDays: 3, recordingDays: null, trashDays: null }, by);

  expect(() => db.$client.exec("DELETE FROM audit_events WHERE seq = 25")).toThrow("the record is append-only");
  db.$client.exec("UPDATE meta SET value = 30 WHERE key = 'audit-sealed-seq'");
  db.$client.exec("DELETE FROM audit_events WHERE seq < 31");
  expect(await log.verify()).toMatchObject({ ok: false, seq: 25, problem: "Row 25 is missing." });
});

test("G3 a deletion that a crash interrupted is finished later, and the record stays valid meanwhile", async () => {
  const { retention, log, db } = await writeDays(10);
  const seal = (await log.search({}, { cursor: 21, limit: 1 })).events[0];
  if (!seal) throw new Error("There is no such row.");
  // The state after the crash: recorded, sealed, and half of the rows deleted.
  await log.seal(seal);
  db.$client.exec(`INSERT INTO meta VALUES ('audit-sealed-seq', ${seal.seq})`);
  db.$client.exec("DELETE FROM audit_events WHERE seq <= 9");
  const between = await log.verify();

  await retention.prune({ auditDays: null, recordingDays: null, trashDays: null }, by);

  expect(between).toMatchObject({ ok: true, removed: 20, rows: 20 });
  expect((await log.list(50)).at(-1)?.seq).toBe(21);
  expect(await log.verify()).toMatchObject({ ok: true, removed: 20 });
});

test("G4 old recordings are deleted and recorded, open ones stay", async () => {
  const { retention, clock, folder, log } = await writeDays(1);
  const dir = join(folder, "recordings");
  mkdirSync(dir);
  for (const [id, ageDays] of [
    ["pty-old", 40],
    ["pty-new", 2],
    ["pty-open", 40],
  ] as const) {
    for (const end of ["raw", "index"]) {
      writeFileSync(join(dir, `${id}.${end}`), "x");
      utimesSync(join(dir, `${id}.${end}`), 0, (clock.now - ageDays * DAY_MS) / 1_000);
    }
  }

  const report = await retention.prune({ auditDays: null, recordingDays: 30, trashDays: null }, by);

  expect(report).toEqual({ rows: 0, recordings: 1, trashed: 0 });
  expect(
    ["pty-old.raw", "pty-old.index", "pty-new.raw", "pty-open.index"].map((name) => existsSync(join(dir, name))),
  ).toEqual([false, false, true, true]);
  expect((await log.list(1))[0]).toMatchObject({ type: "recording.removed", terminalId: "pty-old", actor: by });
});

test("C13 above the size limits the oldest is deleted first and recorded; open recordings stay", async () => {
  const bytes = { recordingBytes: 20_000, trashBytes: 20_000 };
  const { retention, clock, folder, log } = await writeDays(1, bytes);
  const dir = join(folder, "recordings");
  mkdirSync(dir);
  for (const [index, id] of ["pty-open", "pty-old", "pty-new"].entries()) {
    for (const end of ["raw", "index"]) {
      writeFileSync(join(dir, `${id}.${end}`), "x".repeat(end === "raw" ? 8_192 : 1));
      utimesSync(join(dir, `${id}.${end}`), 0, clock.now / 1_000 - 10_000 + index);
    }
    const entry = join(folder, "trash", "entries", `${Math.floor(clock.now / 1_000) - 10_000 + index}-1-1`);
    mkdirSync(join(entry, "files"), { recursive: true });
    writeFileSync(join(entry, "files", id), "x".repeat(9_000));
    writeFileSync(join(entry, "origin"), `belay-trash 1\n${folder}\n`);
  }

  const report = await retention.pruneBySize(by);
  const again = await retention.pruneBySize(by);

  expect([report, again]).toEqual([
    { recordings: 2, trashed: 1 },
    { recordings: 0, trashed: 0 },
  ]);
  expect(existsSync(join(dir, "pty-open.raw"))).toBe(true);
  expect((await listTrash(join(folder, "trash"))).map(({ path }) => path)).toEqual([
    join(folder, "pty-old"),
    join(folder, "pty-new"),
  ]);
  expect((await log.list(3)).map(({ type }) => type).sort()).toEqual([
    "recording.removed",
    "recording.removed",
    "trash.emptied",
  ]);
});

test("D9 items in the trash older than retention.trashDays are deleted for good, and recorded", async () => {
  const { retention, clock, folder, log } = await writeDays(1);
  for (const [name, ageDays] of [
    ["old", 40],
    ["new", 2],
  ] as const) {
    const entry = join(folder, "trash", "entries", `${Math.floor((clock.now - ageDays * DAY_MS) / 1_000)}-1-1`);
    mkdirSync(join(entry, "files"), { recursive: true });
    writeFileSync(join(entry, "files", name), "x");
    writeFileSync(join(entry, "origin"), `belay-trash 1\n${folder}\n`);
  }

  const report = await retention.prune({ auditDays: null, recordingDays: null, trashDays: 30 }, by);
  const again = await retention.prune({ auditDays: null, recordingDays: null, trashDays: 30 }, by);

  expect([report.trashed, again.trashed]).toEqual([1, 0]);
  expect((await listTrash(join(folder, "trash"))).map(({ path }) => path)).toEqual([join(folder, "new")]);
  expect((await log.list(1))[0]).toMatchObject({ type: "trash.emptied", actor: by, detail: { olderThanDays: 30 } });
});

test("G3 it runs by itself at the start and every day", async () => {
  const { retention, clock, log } = await writeDays(10);
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  const pruned = async () => (await log.search({ types: ["audit.pruned"] }, { cursor: null, limit: 9 })).events.length;

  retention.start();
  await vi.waitFor(async () => expect(await pruned()).toBe(1));
  clock.now += DAY_MS;
  vi.advanceTimersByTime(DAY_MS);
  await vi.waitFor(async () => expect(await pruned()).toBe(2));
  await retention.close();
  vi.useRealTimers();
});

/** Four rows a day, for this many days until now. */
const NO_LIMIT: RetentionBytes = { recordingBytes: null, trashBytes: null };

async function writeDays(days: number, bytes = NO_LIMIT) {
  const record = openTestRecord();
  const log = record.open();
  record.clock.now = 1_000 * DAY_MS;
  for (let day = 0; day < days; day += 1) {
    for (let row = 0; row < 4; row += 1)
      await log.append({ type: "command.opened", actor: { type: "system" }, detail: { line: `day-${day}-word` } });
    if (day < days - 1) record.clock.now += DAY_MS;
  }
  const retention = new Retention({
    retired: null,
    db: record.db,
    audit: log,
    recordingsDir: join(record.folder, "recordings"),
    trashDir: join(record.folder, "trash"),
    openTerminals: async () => ["pty-open"],
    days: () => ({ auditDays: 3, recordingDays: null, trashDays: null }),
    bytes: () => bytes,
    pruneOverflow: async () => {},
    now: () => record.clock.now,
    onFailed: (error) => {
      throw error;
    },
  });
  return { ...record, log, retention };
}
