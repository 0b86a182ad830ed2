import { join } from "node:path";
import { run } from "./run.mjs";
import { setUp } from "./setup.mjs";

// `npm run policy:score [-- FILE …]`: false alarms and misses of the policy on labelled command lines.
await setUp();
const { code } = await run("tsx", [join("bench", "policy-score.ts"), ...process.argv.slice(2)]);
process.exit(code);
