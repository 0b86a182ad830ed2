import { spawn } from "node:child_process";
import { once } from "node:events";
import { createScene } from "./scenes.mjs";

const ROUNDS = 3;
const COMMANDS = 8;
/** A hook before the command, and one after it. */
const CALLS_PER_COMMAND = 2;
const GOAL_MS = 50;

/**
 * What the hooks add to a command of a real client: the same conversation with and without them, in turns, timed by the
 * model from its tool call to the result. Beside it a Node that does nothing, which is what starting any hook costs.
 */
export async function benchClient(client, parts) {
  const without = [];
  const hooked = [];
  const bareNode = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const isHooked of round % 2 === 0 ? [false, true] : [true, false]) {
      const scene = createScene({ ...parts, client, name: `bench ${round} ${isHooked ? "hooked" : "plain"}` });
      const { hasRun, tookMs } = await scene.play("true", { times: COMMANDS, isHooked });
      if (!hasRun || tookMs.length !== COMMANDS) throw new Error(`${tookMs.length} of ${COMMANDS} commands ran`);
      // The first one also loads what the client needs for its tool.
      (isHooked ? hooked : without).push(...tookMs.slice(1));
    }
    for (let count = 0; count < COMMANDS; count += 1) bareNode.push(await timeOfBareNode());
  }
  const added = median(hooked) - median(without);
  const beyond = added / CALLS_PER_COMMAND - median(bareNode);
  return {
    "without, ms": spread(without),
    "with hooks, ms": spread(hooked),
    "bare Node, ms": spread(bareNode),
    "added per command, ms": added.toFixed(0),
    "per hook beyond Node, ms": beyond.toFixed(0),
    [`goal ≤ ${GOAL_MS}`]: beyond <= GOAL_MS ? "reached" : "missed",
  };
}

async function timeOfBareNode() {
  const startedAt = performance.now();
  await once(spawn(process.execPath, ["-e", "0"], { stdio: ["ignore", "pipe", "pipe"] }), "close");
  return performance.now() - startedAt;
}

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];

/** The median, with the lowest and the highest tenth left out of the range. */
function spread(values) {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share) => sorted[Math.floor((sorted.length - 1) * share)].toFixed(0);
  return `${at(0.5)} (${at(0.1)}–${at(0.9)})`;
}
