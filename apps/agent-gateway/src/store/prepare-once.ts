import type { Db } from "./database.ts";
import { type Queries, queriesOf, unwrapped, type Write } from "./queries.ts";

/** PostgreSQL keeps a statement only if it has a name; its driver tells statements apart by their text. */
const NAME = "belay";

type Values = Record<string, unknown>;
/** How databases other than SQLite run a prepared query. */
interface Later<Result> {
  execute(values?: Values): Promise<Result>;
}

/** Prepares a query for rows once per database: building it takes several times as long as running it. */
export function prepareRows<Row>(
  build: (queries: Queries) => { prepare(name?: string): { all(values?: Values): Row[] } },
) {
  const prepared = oncePerDatabase((db: Db): { all(values?: Values): Row[] } | Later<Row[]> =>
    build(queriesOf(db)).prepare(NAME),
  );
  const rows = async (db: Db, values?: Values): Promise<Row[]> => {
    const query = prepared(db);
    return isLater(db, query) ? unwrapped(query.execute(values)) : query.all(values);
  };
  return { rows, row: async (db: Db, values?: Values): Promise<Row | undefined> => (await rows(db, values))[0] };
}

/** The same for a change. */
export function prepareWrite(
  build: (queries: Queries) => { prepare(name?: string): { run(values?: Values): { changes: number } } },
) {
  const prepared = oncePerDatabase((db: Db): { run(values?: Values): { changes: number } } | Later<{ count: number }> =>
    build(queriesOf(db)).prepare(NAME),
  );
  return (db: Db, values: Values): Write => ({
    execute: () => {
      const query = prepared(db);
      if (!isLater(db, query)) return query.run(values).changes;
      return unwrapped(query.execute(values)).then(({ count }) => count);
    },
  });
}

function isLater<Result>(db: Db, _query: object | Later<Result>): _query is Later<Result> {
  return db.dialect !== "sqlite";
}

/** What `build` returns for a database, built once. */
export function oncePerDatabase<Database extends Db, Query>(build: (db: Database) => Query): (db: Database) => Query {
  const built = new WeakMap<Database, Query>();
  return (db) => {
    const known = built.get(db);
    if (known) return known;
    const query = build(db);
    built.set(db, query);
    return query;
  };
}
