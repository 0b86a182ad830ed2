import { accessSync, constants, existsSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { GatewayError } from "../errors.ts";
import { MIGRATIONS_DIR, POSTGRES_MIGRATIONS_DIR } from "../paths.ts";
import { loadGatewayId } from "./gateway-id.ts";
import { acquireLock, LOCK_FILE } from "./lock.ts";
import type { LockMode } from "./postgres/gateway-locks.ts";
import { closePostgres, openPostgres, type PostgresDb } from "./postgres/open-database.ts";
import { loadSecret } from "./secret.ts";
import { openDatabase, type SqliteDb } from "./sqlite/open-database.ts";
import { tightenModes } from "./tighten-modes.ts";

export interface Store {
  db: SqliteDb | PostgresDb;
  /** Signs the session cookies. */
  sessionSecret: string;
  close(): Promise<void>;
}

/** Opens the data folder for this process only: its lock, its secret, and the database, which is in it or elsewhere. */
export async function openStore(
  dataDir: string,
  { url, mode, name }: { url: string | null; mode: LockMode; name?: string | undefined },
): Promise<Store> {
  prepareDataDir(dataDir);
  const lock = acquireLock(join(dataDir, LOCK_FILE));
  if (!lock) {
    throw new GatewayError(
      "already-running",
      `Belay is already running on ${dataDir}. Stop it first, or set BELAY_DATA_DIR to another folder.`,
    );
  }
  tightenModes(dataDir, { hasDatabase: url === null });
  const sessionSecret = loadSecret(join(dataDir, "keys", "session-secret"), "which signs the sessions of people");
  const { db, close } = await openEither(dataDir, url, { mode, name });
  return {
    db,
    sessionSecret,
    close: async () => {
      await close();
      lock.release();
    },
  };
}

async function openEither(
  dataDir: string,
  url: string | null,
  identity: { mode: LockMode; name: string | undefined },
): Promise<Pick<Store, "db" | "close">> {
  if (url === null) {
    const db = openDatabase(join(dataDir, "belay.db"), MIGRATIONS_DIR);
    return { db, close: async () => void db.$client.close() };
  }
  const db = await openPostgres(url, POSTGRES_MIGRATIONS_DIR, { id: loadGatewayId(dataDir), ...identity });
  return { db, close: () => closePostgres(db) };
}

function prepareDataDir(dataDir: string): void {
  try {
    makeFolder(dataDir);
    accessSync(dataDir, constants.W_OK | constants.X_OK);
  } catch (error) {
    const message = `Belay cannot write to its data folder ${dataDir}. Give this user write access, or set BELAY_DATA_DIR to a folder that it may write to.`;
    throw new GatewayError("data-dir-not-writable", message, { cause: error });
  }
}

/** Level by level: Node's own recursive mkdir never returns if the system answers ENOENT, as in /proc. */
function makeFolder(path: string): void {
  if (existsSync(path)) return;
  makeFolder(dirname(path));
  mkdirSync(path, { mode: 0o700 });
}
