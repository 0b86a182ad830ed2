import type { Invocation } from "../language/commands/invocation.ts";
import { isKnown } from "../language/state/values.ts";
import type { SecuritySettings } from "../settings/schema.ts";
import { reachesOwnHosts, type WallOpenings } from "./openings.ts";

/**
 * Clients of database servers. They do not use the proxy, and the sockets of the machine's own servers are below `/run`
 * and `/tmp`, which are not visible behind a wall. So they can only reach a server that the agent started itself.
 * Clients that open a file are not listed, because the file may belong to a person.
 */
const CLIENTS: ReadonlySet<string> = new Set(
  "psql createdb dropdb createuser dropuser pg_dump pg_dumpall pg_restore mysql mysqladmin mysqldump mariadb mariadb-admin mariadb-dump mongo mongosh mongodump mongorestore redis-cli valkey-cli cqlsh clickhouse-client influx".split(
    " ",
  ),
);

/** An argument that names a socket, which may be in the workspace. */
const NAMES_SOCKET = /^-[hSs].*\/|^-[Ss]$|^\/|%2f|(host|socket)=|unix:|^\.{1,2}\//i;

/** Whether the program can only reach databases that the agent started itself. */
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
