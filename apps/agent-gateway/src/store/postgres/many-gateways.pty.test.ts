import { chainOf } from "@belay/protocol";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { AuditLog } from "../../audit/audit-log.ts";
import { Redactions } from "../../audit/redact/redactions.ts";
import { Retention } from "../../audit/retention.ts";
import { RetiredGateways } from "../../audit/retired-gateways.ts";
import { findPostgres, type PostgresServer, startPostgres } from "../../testing/database/postgres-server.ts";
import { openOnServer } from "../../testing/database/test-databases.ts";
import { insertCommand, listOpenCommands } from "../tables/commands.ts";

const bin = findPostgres();
const ada = { type: "person", id: "ada" } as const;
const DAY_MS = 24 * 3_600_000;
const FOUR_DAYS = { auditDays: 4, recordingDays: null, trashDays: null };
const row = (line: string) => ({ type: "command.opened", actor: ada, detail: { line } }) as const;

function retentionOf(
  { db, folder, clock }: Awaited<ReturnType<typeof openOnServer>>,
  audit: AuditLog,
  retired: RetiredGateways | null = null,
): Retention {
  return new Retention({
    ...{ db, audit, retired, recordingsDir: folder, trashDir: folder },
    openTerminals: async () => [],
    days: () => ({ auditDays: null, recordingDays: null, trashDays: null }),
    bytes: () => ({ recordingBytes: null, trashBytes: null }),
    ...{ pruneOverflow: async () => {}, now: () => clock.now, onFailed: () => {} },
  });
}

describe.skipIf(bin === null)("several gateways on one PostgreSQL", () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres(String(bin));
  }, 60_000);
  afterAll(() => server?.close());

  /** Two gateways with their records, each with a few rows, and each has seen the other's. */
  async function openTwo() {
    const first = await openOnServer(server, { mode: "shared" });
    const second = await openOnServer(server, { url: first.url, mode: "shared" });
    const [one, two] = [await first.open(), await second.open()];
    for (const at of [1, 2, 3]) await Promise.all([one.append(row(`one ${at}`)), two.append(row(`two ${at}`))]);
    await one.witness();
    await two.witness();
    return { first, second, one, two };
  }

  test("G7 a database for one gateway refuses a second, and a copy of a data folder is refused always", async () => {
    const alone = await openOnServer(server);
    await expect(openOnServer(server, { url: alone.url })).rejects.toMatchObject({ code: "already-running" });
    await expect(openOnServer(server, { url: alone.url, mode: "shared" })).rejects.toMatchObject({
      code: "already-running",
    });

    const shared = await openOnServer(server, { mode: "shared" });
    await expect(openOnServer(server, { url: shared.url })).rejects.toMatchObject({ code: "already-running" });
    await expect(openOnServer(server, { url: shared.url, mode: "shared", folder: shared.folder })).rejects.toThrow(
      "copy of this data folder",
    );
  });

  test("G2 G7 each writes a chain of its own at the same time, and either verifies all of them", async () => {
    const first = await openOnServer(server, { mode: "shared" });
    const second = await openOnServer(server, { url: first.url, mode: "shared" });
    const [one, two] = [await first.open(), await second.open()];

    await Promise.all(
      Array.from({ length: 150 }, (_, at) => [one.append(row(`one ${at}`)), two.append(row(`two ${at}`))]).flat(),
    );

    await one.witness();
    for (const log of [one, two]) expect(await log.verify()).toMatchObject({ ok: true, rows: 300 });
    expect(await one.verify()).toMatchObject({
      chains: [
        { gateway: 0, rows: 150, problem: null },
        { gateway: 1, rows: 150, problem: null, unsigned: 0 },
      ],
    });
    expect(one.standing.rows).toBe(150);
    expect(two.standing.rows).toBe(150);
    expect(await one.count()).toBe(300);
    expect((await two.append(row("next"))).seq).toBe(chainOf(1).base + 151);
    await two.close();
    await one.close();
    expect(JSON.parse(String(first.signatures().at(-1)))).toMatchObject({
      others: [{ gateway: 1, seq: chainOf(1).base + 151 }],
    });
    const again = await second.open();
    expect(await again.verify()).toMatchObject({ ok: true, rows: 301 });
    await again.close();
  });

  test("G2 G7 rows of all gateways are found in the order of time, page by page, while more are written", async () => {
    const first = await openOnServer(server, { mode: "shared" });
    const second = await openOnServer(server, { url: first.url, mode: "shared" });
    const [one, two] = [await first.open(), await second.open()];
    for (let at = 0; at < 12; at += 1) {
      first.clock.now = 1_000 + at;
      second.clock.now = 1_000 + at;
      await (at % 3 === 0 ? two : one).append(row(`line ${at}`));
    }
    const lines = Array.from({ length: 12 }, (_, at) => `line ${at}`);

    expect(await readAll(one, "oldest")).toEqual(lines);
    expect(await readAll(two, "newest")).toEqual(lines.toReversed());
    const page = await one.search({}, { cursor: null, limit: 5 });
    first.clock.now = 2_000;
    await one.append(row("later"));
    const rest = await one.search({}, { cursor: page.nextCursor, limit: 50 });
    expect([...page.events, ...rest.events].map(({ detail }) => detail.line)).toEqual(lines.toReversed());

    // A clock that was set back does not put a row before the one that it follows.
    first.clock.now = 5;
    await one.append(row("set back"));
    expect((await readAll(two, "newest")).slice(0, 2)).toEqual(["set back", "later"]);
    await Promise.all([one.close(), two.close()]);
  });

  test.each([
    ["changed", (at: number) => `UPDATE audit_events SET actor = '{"type":"local"}' WHERE seq = ${at + 2}`],
    ["removed", (at: number) => `DELETE FROM audit_events WHERE seq = ${at + 2}`],
    ["at its end removed", (at: number) => `DELETE FROM audit_events WHERE seq = ${at + 3}`],
    ["moved to the other chain", (at: number) => `UPDATE audit_events SET seq = 4 WHERE seq = ${at + 3}`],
    [
      "of the other chain put in its place",
      (at: number) =>
        `DELETE FROM audit_events WHERE seq = ${at + 2}; UPDATE audit_events SET seq = ${at + 2} WHERE seq = 2`,
    ],
  ])("G2 G7 a row of one gateway that was %s is noticed by the other", async (_what, tampering) => {
    const { first, one, two } = await openTwo();
    await two.close();

    await first.tamper(tampering(chainOf(1).base));

    expect(await one.verify()).toMatchObject({ ok: false });
    await one.close();
  });

  test.each([
    ["its rows", ["DELETE FROM audit_events WHERE seq > 1000000000000"]],
    [
      "every trace of it",
      [
        "DELETE FROM audit_events WHERE seq > 1000000000000",
        "DELETE FROM gateways WHERE number = 1",
        "DELETE FROM meta WHERE key LIKE '%:1'",
      ],
    ],
    ["its place in the list, but not its rows", ["DELETE FROM gateways WHERE number = 1"]],
  ])(
    "G2 G7 a chain that was removed with %s is noticed by the other gateway's signatures",
    async (_what, statements) => {
      const { first, one, two } = await openTwo();
      await two.close();

      await first.tamper(statements.join(";"));

      const found = await one.verify();
      expect(found).toMatchObject({ ok: false, chains: [{ problem: null }, { gateway: 1 }] });
      expect(found).toHaveProperty("problem", expect.stringContaining("The chain of gateway 1"));
      await one.close();
    },
  );

  test("G2 G7 a copy of another gateway's signatures proves rows that no gateway has seen yet", async () => {
    const { first, second, one, two } = await openTwo();
    await two.append(row("unseen"));
    await two.close();
    const copy = second.signatures();

    expect(await one.verify(copy)).toMatchObject({ ok: true });
    expect(await one.verify(["{}"])).toMatchObject({ ok: false });
    await first.tamper(`DELETE FROM audit_events WHERE seq = ${chainOf(1).base + 4}`);
    expect(await one.verify()).toMatchObject({ ok: true });
    expect(await one.verify(copy)).toMatchObject({ ok: false });
    await one.close();
  });

  test("G2 G7 a gateway redacts another's rows, and both chains still verify", async () => {
    const { first, one, two } = await openTwo();
    const redactions = new Redactions({
      ...{ db: first.db, audit: one, recordingsDir: first.folder },
      ...{ forgetHistory: async () => {}, onRecordingChanged: () => {} },
    });
    const seq = chainOf(1).base + 2;

    await redactions.redactRows({ seq }, { reason: "A password.", by: ada });

    for (const log of [one, two]) expect(await log.verify()).toMatchObject({ ok: true });
    expect(await two.place(seq)).toMatchObject({
      event: { detail: { redacted: true } },
      redaction: { type: "audit.redacted", actor: ada },
    });
    await first.tamper(`UPDATE audit_events SET detail = '{"redacted":true}' WHERE seq = ${seq + 1}`);
    expect(await one.verify()).toMatchObject({ ok: false });
    await Promise.all([one.close(), two.close()]);
  });

  test("G2 G7 each gateway removes the old rows of its own chain, and the other accepts its seal and no forged one", async () => {
    const { first, second, one, two } = await openTwo();
    first.clock.now = second.clock.now = 10 * DAY_MS;
    const retention = retentionOf(second, two);

    const { rows } = await retention.prune(FOUR_DAYS, { type: "system" });

    expect(rows).toBe(3);
    expect((await one.list(9)).filter(({ seq }) => seq < chainOf(1).base)).toHaveLength(3);
    for (const log of [one, two]) expect(await log.verify()).toMatchObject({ ok: true, removed: 3, rows: 4 });
    await first.tamper(
      `UPDATE meta SET value = replace(value, '"seals":true', '"seals":true ') WHERE key = 'audit-seal:1'`,
    );
    expect(await one.verify()).toMatchObject({ ok: true });
    await first.tamper(`UPDATE meta SET value = replace(value, '"seq":', '"seq":1') WHERE key = 'audit-seal:1'`);
    expect(await one.verify()).toMatchObject({ ok: false });
    await retention.close();
    await Promise.all([one.close(), two.close()]);
  });

  /** Three gateways with rows that each has seen; the third has stopped. */
  async function openThree() {
    const two = await openTwo();
    const third = await openOnServer(server, { url: two.first.url, mode: "shared" });
    const gone = await third.open();
    for (const at of [1, 2, 3]) await gone.append(row(`three ${at}`));
    await Promise.all([two.one.witness(), two.two.witness()]);
    await gone.close();
    return { ...two, third };
  }

  test("G2 G3 G7 the old rows of a retired gateway are removed by another, and every chain still verifies everywhere", async () => {
    const { first, second, one, two, third } = await openThree();
    const watch = { closeFor: async () => {} };
    const retired = new RetiredGateways({ db: first.db, audit: one, watch });
    await expect(retired.retire(2, ada)).rejects.toThrow("uses the database now");
    await third.close();

    expect(await retired.retire(2, ada)).toMatchObject({ number: 2, isRetired: true });
    await expect(retired.retire(2, ada)).rejects.toMatchObject({ code: "already-settled" });
    await expect(openOnServer(server, { url: first.url, mode: "shared", folder: third.folder })).rejects.toMatchObject({
      code: "gateway-retired",
    });
    first.clock.now = second.clock.now = 10 * DAY_MS;
    const { rows } = await retentionOf(first, one, retired).prune(FOUR_DAYS, ada);

    // Three rows of its own and the one that says who was retired; three of the retired one.
    expect(rows).toBe(7);
    expect(await first.run(`SELECT seq FROM audit_events WHERE seq > ${chainOf(2).base}`)).toEqual([]);
    const pruned = (await one.search({ types: ["audit.pruned"] }, { cursor: null, limit: 9 })).events;
    expect(pruned.map(({ detail }) => detail)).toContainEqual(
      expect.objectContaining({ gateway: 2, toSeq: chainOf(2).base + 3 }),
    );
    await two.witness();
    for (const log of [one, two])
      expect(await log.verify()).toMatchObject({
        ok: true,
        chains: expect.arrayContaining([expect.objectContaining({ gateway: 2, removed: 3, rows: 0, problem: null })]),
      });
    await Promise.all([one.close(), two.close()]);
  });

  test("G2 G7 a gateway that is not retired cannot be sealed by another, and a seal that was changed is noticed", async () => {
    const { first, second, one, two, third } = await openThree();
    await third.close();
    const retired = new RetiredGateways({ db: first.db, audit: one, watch: { closeFor: async () => {} } });
    await retired.retire(2, ada);
    first.clock.now = second.clock.now = 10 * DAY_MS;
    await retentionOf(first, one, retired).prune(FOUR_DAYS, ada);
    expect(await two.verify()).toMatchObject({ ok: true });

    await first.tamper("UPDATE gateways SET retired_at = NULL WHERE number = 2");
    expect(await two.verify()).toMatchObject({ ok: false });
    await first.tamper("UPDATE gateways SET retired_at = 1 WHERE number = 2");
    expect(await two.verify()).toMatchObject({ ok: true });
    await first.tamper(`UPDATE meta SET value = replace(value, '"at":', '"at":1') WHERE key = 'audit-seal:2'`);
    expect(await two.verify()).toMatchObject({ ok: false });
    await Promise.all([one.close(), two.close()]);
  });

  test("G7 a gateway that was retired while it was cut off from the database writes nothing more", async () => {
    const { first, second, one, two } = await openTwo();
    const [lost] = await second.db.$sql`SELECT count(*) AS rows FROM audit_events WHERE seq > ${chainOf(1).base}`;
    const retired = new RetiredGateways({ db: first.db, audit: one, watch: { closeFor: async () => {} } });

    // The server ends a connection a moment after it was told to, and the gateway may have made a new one by then.
    await vi.waitFor(
      async () => {
        await first.tamper("SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND objid = 1");
        await retired.retire(1, ada);
      },
      { timeout: 20_000 },
    );

    await expect(two.append(row("late"))).rejects.toMatchObject({ code: "record-not-written" });
    const [now] = await first.db.$sql`SELECT count(*) AS rows FROM audit_events WHERE seq > ${chainOf(1).base}`;
    expect(now).toEqual(lost);
    await Promise.all([one.close(), two.close()]);
  });

  test("G6 G7 open commands belong to the gateway that was asked, until it is gone", async () => {
    const { first, second, one, two } = await openTwo();
    const command = {
      ...({ id: "cmd-1", agentId: "agt-1", terminalId: null, line: "make", request: null, openedAt: 1 } as const),
      ...{ startedAt: null, closedAt: null, outcome: null },
    };
    await one.append(row("opened"), (tx) => [insertCommand(tx, command)]);

    expect(await listOpenCommands(first.db)).toHaveLength(1);
    expect(await listOpenCommands(second.db)).toEqual([]);
    expect(await second.db.$locks.inPlaceOf(0, async () => "taken")).toBeNull();
    await one.close();
    await first.close();
    expect(await second.db.$locks.inPlaceOf(0, async () => "taken")).toBe("taken");
    expect(await listOpenCommands(second.db, { gateway: 0 })).toHaveLength(1);
    await two.close();
  });
});

async function readAll(log: AuditLog, order: "newest" | "oldest"): Promise<unknown[]> {
  const lines: unknown[] = [];
  let cursor: number | null = null;
  do {
    const page = await log.search({}, { cursor, limit: 5, order });
    lines.push(...page.events.map(({ detail }) => detail.line));
    cursor = page.nextCursor;
  } while (cursor !== null);
  return lines;
}
