import { once } from "node:events";
import { findPostgres, startPostgres } from "./postgres-server.ts";

/** Serves empty databases to benchmarks until its input ends: prints their addresses, or null if PostgreSQL is not installed. */
const bin = findPostgres();
if (bin === null) {
  console.log("null");
} else {
  const server = await startPostgres(bin, { isDurable: true });
  const urls: string[] = [];
  while (urls.length < Number(process.argv[2] ?? 1)) urls.push(await server.createDatabase());
  console.log(JSON.stringify(urls));
  process.stdin.resume();
  await once(process.stdin, "end");
  await server.close();
}
