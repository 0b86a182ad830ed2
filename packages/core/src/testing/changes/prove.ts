import { parseArgs } from "node:util";
import { proveApplyCrashes } from "./prove-apply-crashes.ts";
import { proveCrashes } from "./prove-crashes.ts";
import { provePreview } from "./prove-preview.ts";
import { proveUndo } from "./prove-undo.ts";

// `npm run prove:undo -- --commands 2000 --crashes 50 --previews 1000 --seed 7`: the undo and preview tests of `npm test`, repeated many times.
const { values } = parseArgs({
  options: {
    commands: { type: "string", default: "2000" },
    crashes: { type: "string", default: "50" },
    previews: { type: "string", default: "1000" },
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
const previewed = await provePreview(seed, Number(values.previews), searchPath);
for (const { seed: own, command, problems } of [...previewed.wrong, ...previewed.touched]) {
  console.log(`seed ${own}:\n${command}\n  ${problems.slice(0, 10).join("\n  ")}`);
}
const rightShare = 1 - previewed.wrong.length / Math.max(1, previewed.commands);
console.log(
  `${previewed.commands} commands previewed from seed ${seed}, ${previewed.applied} of them applied: ` +
    `${previewed.wrong.length} came out otherwise (${(100 * rightShare).toFixed(2)} % right), ${previewed.unsteady} write the time into files, ${previewed.touched.length} previews touched something.`,
);
const cutOff = await proveApplyCrashes(seed, Number(values.crashes), searchPath);
for (const problem of cutOff.problems) console.log(problem);
console.log(
  `${cutOff.kills} kills, ${cutOff.inUndo} of them while a preview was applied: ${cutOff.problems.length} not mended.`,
);
const isPreviewGood = rightShare >= 0.99 && previewed.touched.length === 0 && cutOff.problems.length === 0;
process.exit(!isPreviewGood || undone.failures.length + crashed.problems.length > 0 ? 1 : 0);
