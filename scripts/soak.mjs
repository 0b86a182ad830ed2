import { run } from "./run.mjs";
import { setUp } from "./setup.mjs";

// `npm run soak [-- --rounds 100 --seed 7]`: the crash tests of `npm test`, repeated many times.
await setUp({ build: false });
const { code } = await run("tsx", ["packages/core/src/testing/chaos/soak.ts", ...process.argv.slice(2)]);
process.exit(code);
