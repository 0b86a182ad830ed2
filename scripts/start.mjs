import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { ROOT } from "./run.mjs";
import { setUp } from "./setup.mjs";

// `npm start`: set-up where it is needed, then the gateway in this very process, so that
// one signal stops everything.
await setUp();
process.argv = [process.argv[0], "belay", "start", ...process.argv.slice(2)];
await import(pathToFileURL(join(ROOT, "apps/agent-gateway/dist/cli.js")).href);
