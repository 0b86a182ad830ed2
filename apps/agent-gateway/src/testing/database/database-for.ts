import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { join } from "node:path";
import { findPostgres } from "./postgres-server.ts";

const created = new Set<string>();

/**
 * Settings that put a test's gateway on PostgreSQL, if the tests run with it (`npm run test:postgres`). Each data folder has
 * a database of its own, which the next gateway on the same folder finds again.
 */
export function databaseFor(dataDir: string): { BELAY_DATABASE_URL?: string } {
  const port = process.env.BELAY_TEST_POSTGRES_PORT;
  if (!port) return {};
  const name = `belay_${createHash("sha256").update(dataDir).digest("hex").slice(0, 24)}`;
  if (!created.has(name)) {
    const server = ["-h", "127.0.0.1", "-p", port, "-U", "postgres"];
    try {
      execFileSync(join(String(findPostgres()), "createdb"), [...server, "-O", "belay", name], { stdio: "pipe" });
    } catch (error) {
      // Another process of the same test may have made it.
      if (!String((error as { stderr?: Buffer }).stderr).includes("already exists")) throw error;
    }
    created.add(name);
  }
  return { BELAY_DATABASE_URL: `postgres://belay@127.0.0.1:${port}/${name}` };
}
