import { readOptions } from "./options.mjs";
import { run, TOOL_ENV } from "./run.mjs";
import { setUp } from "./setup.mjs";

const { values } = readOptions({
  usage: `npm run prove:undo [-- OPTION …]: undoes and previews generated commands, and kills what works on them

  --commands N       commands to run and undo (2000)
  --previews N       commands to preview and then run (1000)
  --crashes N        kills of the process that takes a snapshot, undoes or applies (50)
  --gateway-kills N  kills of whole gateways in these moments (30)
  --seed N           repeats a run`,
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
