import type { Invocation } from "../language/commands/invocation.ts";
import { isKnown } from "../language/state/values.ts";
import type { SecuritySettings } from "../settings/schema.ts";
import { reachesOwnHosts, type WallOpenings } from "./openings.ts";

/**
 * Clients of database servers. They do not use the proxy, and the sockets of this machine's servers are below `/run` and `/tmp`:
 * what they reach is a server that the agent started itself. Not those that open a file, which may be a person's.
 */
const CLIENTS: ReadonlySet<string> = new Set(
  "psql createdb dropdb createuser dropuser pg_dump pg_dumpall pg_restore mysql mysqladmin mysqldump mariadb mariadb-admin mariadb-dump mongo mongosh mongodump mongorestore redis-cli valkey-cli cqlsh clickhouse-client influx".split(
    " ",
  ),
);

/** A socket may be in the workspace. Any variable could name one, too. */
const NAMES_SOCKET = /^-[hSs].*\/|^-[Ss]$|^\/|%2f|(host|socket)=|unix:|^\.{1,2}\//i;

/** Whether the databases that it can reach are the agent's own. */
export function reachesOwnDatabases(
  { program, args, env }: Invocation,
  openings: WallOpenings,
  settings: SecuritySettings,
): boolean {
  const isLetIn = openings.readable.length > 0 || openings.writable.length > 0 || openings.env.length > 0;
  if (!CLIENTS.has(program) || isLetIn || env.size > 0 || reachesOwnHosts(openings, settings)) return false;
  const words = args.map(({ text }) => text);
  return words.every(isKnown) && !words.some((word) => NAMES_SOCKET.test(word));
}
