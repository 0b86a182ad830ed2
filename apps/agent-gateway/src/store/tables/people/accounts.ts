import { eq, inArray, sql } from "drizzle-orm";
import type { Db } from "../../database.ts";
import { prepareRows } from "../../prepare-once.ts";
import { queriesOf, rowsOf } from "../../queries.ts";

// better-auth writes these tables. What every request and every answer reads is read here, in one query instead of several.

const sessionById = prepareRows(({ orm, session, user }) =>
  orm
    .select({ session, person: user })
    .from(session)
    .innerJoin(user, eq(user.id, session.userId))
    .where(eq(session.id, sql.placeholder("id"))),
);

/** A session and its person. */
export async function findSession(db: Db, id: string) {
  return sessionById.row(db, { id });
}

/** Those of these people who still exist. */
export async function findPeople(db: Db, ids: readonly string[]) {
  const { orm, user } = queriesOf(db);
  return rowsOf(
    orm
      .select()
      .from(user)
      .where(inArray(user.id, [...ids])),
  );
}
