/**
 * The database as the domains see it: an argument for the functions in `tables/`, and nothing else.
 * Only `store/` and `audit/` can run SQL with it (`queriesOf`).
 */
export interface Db {
  readonly dialect: "sqlite" | "postgres";
}
