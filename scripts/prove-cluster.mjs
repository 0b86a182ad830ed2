import { readOptions } from "./options.mjs";
import { run } from "./run.mjs";
import { setUp } from "./setup.mjs";

const { values } = readOptions({
  usage: `npm run prove:cluster [-- OPTION …]: several gateways and machines on a real PostgreSQL and NATS, with a seeded plan of faults. Ends with 1 if anything ran twice or was lost

  --rounds N     faults: kills of gateways, hosts, NATS and PostgreSQL, stops, cut links, full disks (12)
  --gateways N   gateways (3)
  --hosts N      other machines (20). As root each has a network and a disk of its own
  --seed N       repeats a plan
  --out FILE     writes what each failure cost into a page, between its marks`,
  options: {
    rounds: { type: "string" },
    gateways: { type: "string" },
    hosts: { type: "string" },
    seed: { type: "string" },
    out: { type: "string" },
  },
});
await setUp({ build: true });
const options = Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [`--${name}`, value]));
const { code } = await run("tsx", ["apps/agent-gateway/src/testing/cluster/prove.ts", ...options]);
process.exit(code ?? 1);
