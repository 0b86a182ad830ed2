import { readOptions } from "./options.mjs";
import { run } from "./run.mjs";
import { setUp } from "./setup.mjs";

const { values } = readOptions({
  usage: `npm run prove:cluster [-- OPTION …]: several gateways on a real PostgreSQL and NATS, with a seeded plan of faults. Ends with 1 if anything ran twice or was lost

  --rounds N     faults: kills of gateways, NATS and PostgreSQL, stops, cut links (12)
  --gateways N   gateways (3)
  --seed N       repeats a plan
  --out FILE     appends the table of what each failure cost`,
  options: {
    rounds: { type: "string", default: "12" },
    gateways: { type: "string", default: "3" },
    seed: { type: "string", default: String(Date.now() % 1e6) },
    out: { type: "string" },
  },
});
await setUp({ build: true });
const options = Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [`--${name}`, value]));
const { code } = await run("tsx", ["apps/agent-gateway/src/testing/cluster/prove.ts", ...options]);
process.exit(code ?? 1);
