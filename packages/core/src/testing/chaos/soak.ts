import { parseArgs } from "node:util";
import { killGateways, killHost } from "./chaos.ts";

// `npm run soak -- --rounds 100 --seed 7`: kills gateways and hosts under load, round after round. A round that
// fails prints its seed, with which it can be repeated.
const { values } = parseArgs({
  options: { rounds: { type: "string", default: "100" }, seed: { type: "string", default: String(Date.now() % 1e6) } },
});
const rounds = Number(values.rounds);
const firstSeed = Number(values.seed);
const total = { gatewayKills: 0, hostKills: 0, bytes: 0, commands: 0 };
for (let round = 0; round < rounds; round++) {
  const seed = firstSeed + round;
  const isHostRound = round % 4 === 3;
  const tally = isHostRound ? await killHost(seed) : await killGateways(seed, 5);
  total.bytes += tally.bytes;
  total.commands += tally.commands;
  if (isHostRound) total.hostKills += tally.kills;
  else total.gatewayKills += tally.kills;
  console.log(
    `round ${round + 1} of ${rounds}, seed ${seed}: whole. So far ${total.gatewayKills} gateways and ` +
      `${total.hostKills} hosts killed, ${(total.bytes / 1e6).toFixed(0)} MB and ${total.commands} commands accounted for.`,
  );
}
