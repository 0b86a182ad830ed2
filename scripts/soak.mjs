import { readOptions } from "./options.mjs";
import { run } from "./run.mjs";
import { setUp } from "./setup.mjs";

const { values } = readOptions({
  usage: `npm run soak [-- OPTION …]: the crash tests of npm test, repeated many times

  --rounds N  how many times (100)
  --seed N    repeats a run`,
  options: {
    rounds: { type: "string", default: "100" },
    seed: { type: "string", default: String(Date.now() % 1e6) },
  },
});
await setUp({ build: false });
const { code } = await run("tsx", [
  "packages/core/src/testing/chaos/soak.ts",
  "--rounds",
  values.rounds,
  "--seed",
  values.seed,
]);
process.exit(code);
