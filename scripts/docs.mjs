import { run } from "./run.mjs";
import { setUp } from "./setup.mjs";

// `npm run docs`: writes the pages that are generated from the code, and builds the site that the gateway serves at /docs.
await setUp({ build: false });
const written = await run("tsx", ["apps/agent-gateway/src/reference/write.ts"]);
if (written.code !== 0) process.exit(written.code);
const { code } = await run("turbo", ["run", "build", "--filter=@belay/agent-gateway", "--output-logs=errors-only"]);
process.exit(code);
