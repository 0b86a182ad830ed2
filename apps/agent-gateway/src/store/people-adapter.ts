import { drizzleAdapter } from "better-auth/adapters/drizzle";
import type { Db } from "./database.ts";
import { queriesOf } from "./queries.ts";

/** Keeps better-auth's people and sessions in this database. */
export function peopleAdapter(db: Db): ReturnType<typeof drizzleAdapter> {
  const { orm, authDialect: provider, user, session, account, verification } = queriesOf(db);
  return drizzleAdapter(orm, { provider, schema: { user, session, account, verification } });
}
