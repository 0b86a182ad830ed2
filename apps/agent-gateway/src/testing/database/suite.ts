import { spawn } from "node:child_process";
import { once } from "node:events";
import { findPostgres, startPostgres } from "./postgres-server.ts";

/** Tests about SQLite's own files, which a gateway on PostgreSQL does not have. */
const ABOUT_SQLITE = [
  "**/src/store/sqlite/**",
  "**/src/backup/**",
  "**/src/audit/{broken-disk,full-disk,killed-under-load,lost-record,no-record-no-run,secrets}.pty.test.ts",
];

/** Runs the gateway's tests on PostgreSQL: every data folder has a database of its own on a server that is started for them. */
const bin = findPostgres();
if (bin === null) {
  console.error(
    "PostgreSQL is not installed. Install it (Debian, Ubuntu: sudo apt-get install postgresql) and try again.",
  );
  process.exit(1);
}
const server = await startPostgres(bin);
const given = process.argv.slice(2);
const files = given.length > 0 ? given : ["apps/agent-gateway/src"];
const excluded = ABOUT_SQLITE.flatMap((pattern) => ["--exclude", pattern]);
const child = spawn("vitest", ["run", "--project", "pty", ...excluded, ...files], {
  env: { ...process.env, BELAY_TEST_POSTGRES_PORT: String(server.port) },
  stdio: "inherit",
});
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => child.kill(signal));
const [code] = (await once(child, "close")) as [number | null];
await server.close();
process.exit(code ?? 1);
