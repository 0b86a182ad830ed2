import { parseArgs } from "node:util";
import { run } from "./run.mjs";
import { aptInstall, isOnPath, setUp } from "./setup.mjs";

const USAGE = `npm run test:postgres [-- FILE …]: the gateway's tests with real processes, on PostgreSQL instead of SQLite

  FILE  only the test files whose path contains this; all of the gateway's by default`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { help: { type: "boolean", short: "h" } },
});
if (values.help) {
  console.log(USAGE);
  process.exit(0);
}
await setUp();
if (!isOnPath("pg_ctlcluster")) await aptInstall(["postgresql"]);
const { code } = await run("tsx", ["apps/agent-gateway/src/testing/database/suite.ts", ...positionals]);
process.exit(code ?? 1);
