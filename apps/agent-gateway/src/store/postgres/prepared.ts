import type { Sql } from "postgres";

/** Statements with more values than this differ with the number of their rows, so few of them come again. */
const MOST_VALUES = 64;

type Client = Pick<Sql, "unsafe" | "options"> & {
  begin(work: (inside: Sql) => Promise<unknown>): Promise<unknown>;
  savepoint(work: (inside: Sql) => Promise<unknown>): Promise<unknown>;
};

/**
 * The same client, whose statements are prepared on each connection when they first come. For a statement that is not, the
 * driver asks the server for the types of its values and waits for the answer before it sends them: two round trips for one.
 */
export function prepared(client: Sql): Sql {
  const given = client as unknown as Client;
  const preparing: Client = {
    options: given.options,
    unsafe: (text, values, options) => {
      const count = values?.length ?? 0;
      return given.unsafe(text, values, { ...options, prepare: count > 0 && count <= MOST_VALUES });
    },
    begin: (work) => given.begin((inside) => work(prepared(inside))),
    savepoint: (work) => given.savepoint((inside) => work(prepared(inside))),
  };
  return preparing as unknown as Sql;
}
