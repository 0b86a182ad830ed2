import { run } from "./run.mjs";
import { setUp } from "./setup.mjs";

// `npm run prove:undo [-- --commands 2000 --crashes 50 --seed 7]`: undoes generated commands, and kills the process in between.
await setUp({ build: false });
const { code } = await run("tsx", ["packages/core/src/testing/changes/prove.ts", ...process.argv.slice(2)]);
process.exit(code);
