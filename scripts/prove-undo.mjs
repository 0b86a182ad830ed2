import { parseArgs } from "node:util";
import { run, TOOL_ENV } from "./run.mjs";
import { setUp } from "./setup.mjs";

// `npm run prove:undo [-- --commands 2000 --crashes 50 --previews 1000 --gateway-kills 30 --seed 7]`: undoes and previews
// generated commands, and kills the process in between; then kills whole gateways in a snapshot, an undo and an apply.
const { values } = parseArgs({
  options: {
    commands: { type: "string", default: "2000" },
    crashes: { type: "string", default: "50" },
    previews: { type: "string", default: "1000" },
    "gateway-kills": { type: "string", default: "30" },
    seed: { type: "string", default: String(Date.now() % 1e6) },
  },
});
const { "gateway-kills": kills, ...rest } = values;
await setUp({ build: Number(kills) > 0 });
const options = Object.entries(rest).flatMap(([name, value]) => [`--${name}`, value]);
const { code } = await run("tsx", ["packages/core/src/testing/changes/prove.ts", ...options]);
let isFailed = code !== 0;
if (Number(kills) > 0) {
  const env = { ...TOOL_ENV, GATEWAY_KILLS: kills, PROOF_SEED: values.seed };
  const killed = await run("vitest", ["run", "--project", "pty", "changes/gateway-crashes"], { env });
  isFailed ||= killed.code !== 0;
}
process.exit(isFailed ? 1 : 0);
