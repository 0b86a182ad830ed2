import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { MIGRATIONS_DIR } from "../../paths.ts";
import { openDatabase } from "./open-database.ts";

test("G8 an upgrade copies the database first, and a start without one copies nothing", () => {
  const { file, dir, older } = scene();
  const tables = tablesOf(file, older);

  openDatabase(file, MIGRATIONS_DIR).$client.close();
  openDatabase(file, MIGRATIONS_DIR).$client.close();

  const copies = readdirSync(join(dir, "backups"));
  expect(copies).toEqual([expect.stringMatching(/^before-\d{4}_[\w-]+\.db$/)]);
  expect(tablesOf(join(dir, "backups", copies[0] ?? ""), older)).toEqual(tables);
});

test("G8 a database that a newer Belay wrote is refused and left as it is", () => {
  const { file, older } = scene();
  openDatabase(file, MIGRATIONS_DIR).$client.close();
  const before = readFileSync(file);

  expect(() => openDatabase(file, older)).toThrow(/was written by a newer version of Belay/);
  expect(readFileSync(file).equals(before)).toBe(true);
});

function scene() {
  const dir = mkdtempSync(join(tmpdir(), "belay-migrations-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  // The program before the last migration.
  const older = join(dir, "older");
  cpSync(MIGRATIONS_DIR, older, { recursive: true });
  const journal = join(older, "meta/_journal.json");
  const { entries, ...rest } = JSON.parse(readFileSync(journal, "utf8")) as { entries: unknown[] };
  writeFileSync(journal, JSON.stringify({ ...rest, entries: entries.slice(0, -1) }));
  return { dir, file: join(dir, "belay.db"), older };
}

/** Its contents, read with the earlier schema. */
function tablesOf(file: string, migrations: string): unknown[] {
  const { $client: client } = openDatabase(file, migrations);
  try {
    return client.prepare("SELECT name, sql FROM sqlite_master ORDER BY name").all();
  } finally {
    client.close();
  }
}
