import { once } from "node:events";
import { findPostgres, startPostgres } from "../database/postgres-server.ts";
import { findNats, startNats } from "./nats-server.ts";

/** Serves empty databases and a NATS server to benchmarks until its input ends: prints their addresses, or null if one is not installed. */
const [postgresBin, natsBin] = [findPostgres(), findNats()];
if (postgresBin === null || natsBin === null) {
  console.log("null");
} else {
  const [postgres, nats] = [await startPostgres(postgresBin, { isDurable: true }), await startNats(natsBin)];
  const databases: string[] = [];
  while (databases.length < Number(process.argv[2] ?? 1)) databases.push(await postgres.createDatabase());
  console.log(JSON.stringify({ databases, natsUrl: nats.url }));
  process.stdin.resume();
  await once(process.stdin, "end");
  await nats.close();
  await postgres.close();
}
