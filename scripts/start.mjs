import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { hideSecrets } from "../apps/agent-gateway/bin/hide-secrets.mjs";
import { ROOT } from "./run.mjs";
import { setUp } from "./setup.mjs";

// `npm start`: sets up if necessary, then runs the gateway in this process, so that
// one signal stops everything.
const secrets = hideSecrets();
await setUp();
Object.assign(process.env, secrets);
process.argv = [process.argv[0], "belay", "start", ...process.argv.slice(2)];
await import(pathToFileURL(join(ROOT, "apps/agent-gateway/dist/cli.js")).href);
