import type { Sql } from "postgres";
import { GatewayError } from "../../errors.ts";

/** May erase details and delete sealed rows, and nothing else. */
const RETENTION_ROLE = "belay_retention";
const INSUFFICIENT_PRIVILEGE = "42501";
const DUPLICATE_OBJECT = "42710";

/**
 * Requires that the database can keep the record append-only: a role without special powers for the gateway, and one for
 * retention, which is created if it may be.
 */
export async function requireRoles(client: Sql): Promise<void> {
  const [me] =
    await client`SELECT current_user AS name, rolsuper AS "isSuper" FROM pg_roles WHERE rolname = current_user`;
  if (me?.isSuper) {
    throw new GatewayError(
      "database-not-usable",
      `Belay does not connect to PostgreSQL as a superuser ("${me.name}"): no privilege would keep the record append-only. Create a role of its own: ${setUpSql("belay")}`,
    );
  }
  const [role] = await client`
    SELECT pg_has_role(current_user, oid, 'MEMBER') AS "isMember" FROM pg_roles WHERE rolname = ${RETENTION_ROLE}`;
  if (role?.isMember) return;
  try {
    if (!role) await client.unsafe(`CREATE ROLE ${RETENTION_ROLE} NOLOGIN`).catch(ignoreDuplicate);
    await client.unsafe(`GRANT ${RETENTION_ROLE} TO CURRENT_USER`);
  } catch (error) {
    if ((error as { code?: string }).code !== INSUFFICIENT_PRIVILEGE) throw error;
    throw new GatewayError(
      "database-not-usable",
      `The role "${me?.name}" may not create the role that removes old rows of the record. Run this once as an administrator of PostgreSQL: ${grantSql(String(me?.name))}`,
      { cause: error },
    );
  }
}

/** Another gateway of the same server may create it at the same time. */
function ignoreDuplicate(error: unknown): void {
  const { code } = error as { code?: string };
  if (code !== DUPLICATE_OBJECT && code !== "23505") throw error;
}

function grantSql(name: string): string {
  return `CREATE ROLE ${RETENTION_ROLE} NOLOGIN; GRANT ${RETENTION_ROLE} TO "${name}";`;
}

function setUpSql(name: string): string {
  return `CREATE ROLE ${name} LOGIN PASSWORD '…'; CREATE DATABASE ${name} OWNER ${name}; ${grantSql(name)}`;
}
