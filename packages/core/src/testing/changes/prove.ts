import { parseArgs } from "node:util";
import { proveCrashes } from "./prove-crashes.ts";
import { proveUndo } from "./prove-undo.ts";

// `npm run prove:undo -- --commands 2000 --crashes 50 --seed 7`: the undo tests of `npm test`, repeated many times.
const { values } = parseArgs({
  options: {
    commands: { type: "string", default: "2000" },
    crashes: { type: "string", default: "50" },
    seed: { type: "string", default: String(Date.now() % 1e6) },
  },
});
const seed = Number(values.seed);
const searchPath = "/usr/local/bin:/usr/bin:/bin";
const undone = await proveUndo(seed, Number(values.commands), { searchPath });
for (const { seed: own, command, problems } of undone.failures) {
  console.log(`seed ${own}:\n${command}\n  ${problems.slice(0, 10).join("\n  ")}`);
}
console.log(`${undone.commands} commands undone from seed ${seed}: ${undone.failures.length} trees differ.`);
const crashed = await proveCrashes(seed, Number(values.crashes), searchPath);
for (const problem of crashed.problems) console.log(problem);
console.log(
  `${crashed.kills} kills from seed ${seed}, ${crashed.inUndo} of them in an undo: ${crashed.problems.length} not recovered.`,
);
process.exit(undone.failures.length + crashed.problems.length > 0 ? 1 : 0);
