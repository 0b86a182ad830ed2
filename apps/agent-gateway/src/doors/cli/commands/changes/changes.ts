import { CommandId } from "@belay/protocol";
import { Command, InvalidArgumentError } from "commander";
import { describeUndone } from "../../../../changes/words.ts";
import type { Settings } from "../../../../env.ts";
import { type ControlClient, withControl } from "../../../control/client.ts";
import { parseTime } from "../../parse-time.ts";
import { printJson } from "../../print.ts";
import { type Hunks, onOneLine, printPlan, printRecent, printView } from "./print-changes.ts";

/** What an undo cannot restore; shown wherever a person might rely on it. */
const NOT_UNDONE = "Not undone: network traffic, databases, processes, ignored files, and the project's own .git.";

/** `belay changes` and `belay undo`: what a command changed in the workspace, and undoing it. */
export function changesCommands(settings: Settings): Command[] {
  const changes = new Command("changes")
    .description("What a command changed in the workspace; without a command, the latest ones with changes")
    .argument("[command]", "the command's id", parseId)
    .option("--diff", "show the changed lines")
    .option("--json", "print JSON")
    .action(async (id: CommandId | undefined, options: { diff?: boolean; json?: boolean }) => {
      await withControl(settings, async (client) => {
        if (id === undefined) return printRecent(await client.changes.recent.query({}), options);
        const view = await client.changes.of.query({ commandId: id });
        const diffs = options.diff ? await readDiffs(client, id, view.list?.paths.map((file) => file.id) ?? []) : null;
        if (options.json) return printJson(diffs ? { ...view, diffs: Object.fromEntries(diffs) } : view);
        printView(view, diffs);
      });
    });

  const undo = new Command("undo")
    .description("Undo what a command changed in the workspace, or everything since a point in time")
    .argument("[command]", "the command's id", parseId)
    .option("--to <time>", "everything since then: 2026-01-31T12:00Z, or 30m, 2h, 7d ago", parseTime)
    .option("--path <paths...>", "only these files, or all in these folders")
    .option("--dry-run", "only show what would be done")
    .option("--keep-changed", "leave files that have changed since as they are")
    .option(
      "--overwrite-changed",
      "also files that have changed since: those changes are lost (this undo can be undone)",
    )
    .option("--json", "print JSON")
    .addHelpText("after", `\n${NOT_UNDONE}`)
    .action(async (id: CommandId | undefined, options: UndoOptions) => {
      const what = whatOf(id, options);
      await withControl(settings, (client) => runUndo(client, what, options));
    });
  return [changes, undo];
}

interface UndoOptions {
  to?: number;
  path?: string[];
  dryRun?: boolean;
  keepChanged?: boolean;
  overwriteChanged?: boolean;
  json?: boolean;
}

type What = { commandId: CommandId } | { sinceMs: number };

function whatOf(id: CommandId | undefined, { to }: UndoOptions): What {
  if ((id === undefined) === (to === undefined)) {
    throw new Error("Give either a command, or --to with a time.");
  }
  return id === undefined ? { sinceMs: to as number } : { commandId: id };
}

async function runUndo(client: ControlClient, all: What, options: UndoOptions): Promise<void> {
  const what = options.path ? { ...all, paths: await findPaths(client, all, options.path) } : all;
  const plan = await client.changes.plan.query(what);
  const conflicts = plan.steps.filter(({ action }) => action === "conflict");
  const todo = plan.steps.filter(({ action }) => action === "restore" || action === "merge");
  const mustChoose = conflicts.length > 0 && !options.keepChanged && !options.overwriteChanged;
  const wanted = options.overwriteChanged ? todo.length + conflicts.length : todo.length;
  if (options.dryRun || mustChoose || wanted === 0) {
    if (options.json) printJson(plan);
    else printPlan(plan.steps);
    if (mustChoose && !options.dryRun) {
      process.exitCode = 1;
      process.stderr.write(
        "belay: nothing was undone, because files have changed since. --keep-changed leaves those as they are, " +
          "--overwrite-changed undoes them, too.\n",
      );
    } else if (!options.dryRun && !options.json && plan.steps.length > 0) {
      process.stdout.write("Nothing was undone.\n");
    }
    return;
  }
  const { commandId, result } = await client.changes.undo.mutate({
    ...what,
    fingerprint: plan.fingerprint,
    ...(options.overwriteChanged ? { overwrite: conflicts.map(({ id }) => id) } : {}),
    ...(options.keepChanged ? { skipsConflicts: true } : {}),
  });
  if (result.status !== "undone") process.exitCode = 1;
  if (options.json) return printJson({ commandId, ...result });
  if (result.status !== "undone") {
    process.stderr.write("belay: the files changed meanwhile, so nothing was undone. Try again.\n");
    return;
  }
  process.stdout.write(`Undid changes: ${describeUndone(result.undone)}. To undo that: belay undo ${commandId}\n`);
  if (result.skipped.length > 0) process.stdout.write(`Left unchanged: ${result.skipped.map(onOneLine).join(", ")}\n`);
  if (result.keptFolders.length > 0)
    process.stdout.write(`Not empty, so kept: ${result.keptFolders.map(onOneLine).join(", ")}\n`);
  process.stdout.write(`${NOT_UNDONE}\n`);
}

/** The ids of files that a person named: as they are shown, or by a folder that they are in. */
async function findPaths(client: ControlClient, what: What, names: string[]): Promise<string[]> {
  const { steps } = await client.changes.plan.query(what);
  return names.flatMap((given) => {
    const name = given.replace(/^\.\//, "").replace(/(?<=.)\/+$/, "");
    const found = steps.filter(({ path }) => path === name || path.startsWith(`${name}/`));
    if (found.length === 0) {
      throw new Error(`Nothing was changed at ${onOneLine(given)}. Paths start at the workspace.`);
    }
    return found.map(({ id }) => id);
  });
}

async function readDiffs(client: ControlClient, commandId: CommandId, paths: string[]): Promise<Map<string, Hunks>> {
  const diffs = new Map<string, Hunks>();
  for (const path of paths) diffs.set(path, await client.changes.diff.query({ commandId, path }));
  return diffs;
}

function parseId(value: string): CommandId {
  const id = CommandId.safeParse(value);
  if (id.success) return id.data;
  throw new InvalidArgumentError("Enter an id such as cmd-…; belay changes lists them.");
}
