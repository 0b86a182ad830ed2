import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findPostgres, type PostgresServer, startPostgres } from "../../testing/database/postgres-server.ts";
import { openOnServer } from "../../testing/database/test-databases.ts";
import { inTransactionWithLast, postgresTables } from "./open-database.ts";

const bin = findPostgres();
const { meta } = postgresTables;

describe.skipIf(bin === null)("round trips to PostgreSQL", () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres(String(bin));
  }, 60_000);
  afterAll(() => server?.close());

  test("G7 a statement is prepared when it first comes, so that its values need no round trip of their own", async () => {
    const { db } = await openOnServer(server);
    await db.$orm.transaction(async (tx) => {
      const select = () => tx.select().from(meta).limit(1);
      await select();
      const [known] = await tx.execute(
        `SELECT count(*)::int AS count FROM pg_prepared_statements WHERE statement LIKE '%from "meta" limit%'`,
      );
      expect(known).toEqual({ count: 1 });

      await select();
      const [again] = await tx.execute(
        `SELECT count(*)::int AS count FROM pg_prepared_statements WHERE statement LIKE '%from "meta" limit%'`,
      );
      expect(again).toEqual({ count: 1 });
    });
  });

  test("G7 the last changes of a transaction are in it, in their order, though the commit is sent with them", async () => {
    const { db, run } = await openOnServer(server);

    // Twice: the first time the statements are not prepared yet, and the driver sends them in another way.
    for (const key of ["first", "second"]) {
      const row = { key, value: "inserted" };
      const begun = await inTransactionWithLast(db, async (tx) => {
        const [first] = await tx.execute<{ xid: string }>("SELECT pg_current_xact_id()::text AS xid");
        return {
          result: first?.xid,
          last: [
            async () => tx.insert(meta).values(row),
            async () =>
              tx
                .insert(meta)
                .values(row)
                .onConflictDoUpdate({ target: meta.key, set: { value: "updated" } }),
          ],
        };
      });

      expect(await run(`SELECT value, xmin::text FROM meta WHERE key = '${key}'`)).toEqual([
        { value: "updated", xmin: begun },
      ]);
    }
  });

  test("G7 if a last change fails, nothing of the transaction is kept, and the next one works", async () => {
    const { db, run } = await openOnServer(server);
    await db.$orm.insert(meta).values({ key: "taken", value: "before" });

    for (const _ of ["not prepared", "prepared"]) {
      const refused = inTransactionWithLast(db, async (tx) => {
        await tx.insert(meta).values({ key: "earlier", value: "gone" });
        return {
          result: null,
          last: [
            async () => tx.insert(meta).values({ key: "taken", value: "again" }),
            async () => tx.insert(meta).values({ key: "later", value: "gone" }),
          ],
        };
      });
      await expect(refused).rejects.toMatchObject({ code: "23505" });
    }

    expect(await run("SELECT key FROM meta WHERE key IN ('earlier', 'later')")).toEqual([]);
    await inTransactionWithLast(db, async (tx) => ({
      result: null,
      last: [async () => tx.insert(meta).values({ key: "later", value: "kept" })],
    }));
    expect(await run("SELECT value FROM meta WHERE key = 'later'")).toEqual([{ value: "kept" }]);
  });
});
