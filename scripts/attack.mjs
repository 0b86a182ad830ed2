import { run } from "./run.mjs";
import { setUp } from "./setup.mjs";

// `npm run attack`: what was once found to get past Belay, tried again on a real gateway.
await setUp();
const { code } = await run("vitest", ["run", "--project", "attack", ...process.argv.slice(2)]);
process.exit(code);
