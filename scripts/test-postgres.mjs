import { readOptions } from "./options.mjs";
import { run } from "./run.mjs";
import { aptInstall, isOnPath, setUp } from "./setup.mjs";

const { wanted: files } = readOptions({
  usage: `npm run test:postgres [-- FILE …]: the gateway's tests with real processes, on PostgreSQL instead of SQLite

  FILE  only the test files whose path contains this; all of the gateway's by default`,
  takes: "any",
});
await setUp();
if (!isOnPath("pg_ctlcluster")) await aptInstall(["postgresql"]);
const { code } = await run("tsx", ["apps/agent-gateway/src/testing/database/suite.ts", ...files]);
process.exit(code ?? 1);
