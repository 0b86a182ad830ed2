import { expect, test } from "vitest";
import { openTestRecord } from "../../testing/write-record.ts";
import type { AuditLog } from "../audit-log.ts";

const row = (line: string) =>
  ({ type: "command.opened", actor: { type: "agent", id: "agt-1" }, detail: { line } }) as const;

const find = async (log: AuditLog, text: string) =>
  (await log.search({ text }, { cursor: null, limit: 10 })).events.map(({ detail }) => detail.line);

const indexed = (db: ReturnType<typeof openTestRecord>["db"]) =>
  Number(db.$client.prepare("SELECT count(*) FROM audit_search").pluck().get());

test("W5 a row is found right after it was written, although it is indexed later", async () => {
  const { db, open } = openTestRecord();
  const log = open();
  await log.append(row("deploy the harbour"));
  expect(indexed(db)).toBe(0);

  expect(await find(log, "harbour")).toEqual(["deploy the harbour"]);
  expect(indexed(db)).toBe(1);
});

test("G2 rows that a killed gateway had not indexed are indexed by the next one, exactly once", async () => {
  const { db, open } = openTestRecord();
  const killed = open();
  for (let number = 0; number < 250; number += 1) await killed.append(row(`before ${number}`));
  await find(killed, "before");
  await killed.append(row("unheard of"));

  const next = open();

  expect(await find(next, "unheard")).toEqual(["unheard of"]);
  expect(indexed(db)).toBe(251);
});

test("W5 many rows are indexed in the background", async () => {
  const { db, open } = openTestRecord();
  const log = open();

  await Promise.all(Array.from({ length: 3_000 }, (_, number) => log.append(row(`row ${number}`))));

  await expect.poll(() => indexed(db), { timeout: 20_000 }).toBe(3_000);
});
