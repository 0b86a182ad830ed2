import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { History } from "../../changes/history.ts";
import { generateCommand } from "./generate-command.ts";
import { Random } from "./random.ts";
import { markEverything, readTree, scratchHistory } from "./scratch-tree.ts";

/** Changes a workspace, takes snapshots and undoes them, over and over, until it is killed. */
const [base = "", seed = "1", searchPath = ""] = process.argv.slice(2);
const root = join(base, "work");
const random = new Random(Number(seed));
const history = await History.open(scratchHistory(base, searchPath));
process.stdout.write("ready\n");
for (let at = 0; ; at += 1) {
  const fromSeq = await history.mark();
  const before = readTree(root);
  spawnSync("bash", ["-c", generateCommand(root, random)], { cwd: root, stdio: "ignore", timeout: 20_000 });
  const toSeq = await markEverything(history);
  const changes = await history.changesBetween(fromSeq, toSeq);
  if (!changes) throw new Error("The changes are not kept.");
  const plan = await history.planUndo(changes);
  // After the kill the workspace is in one of these two states, or an undo was interrupted.
  const states = { before: [...before], after: [...readTree(root)] };
  writeFileSync(join(base, "states.json"), JSON.stringify(states));
  writeFileSync(join(base, "phase"), "undo");
  await history.undo(`undo-${at}`, plan);
  writeFileSync(join(base, "phase"), "work");
}
