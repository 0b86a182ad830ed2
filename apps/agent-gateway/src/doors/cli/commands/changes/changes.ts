import { CommandId, showHidden } from "@belay/protocol";
import { Command, InvalidArgumentError } from "commander";
import type { Settings } from "../../../../env.ts";
import { type ControlClient, withControl } from "../../../control/client.ts";
import { parseTime } from "../../parse-time.ts";
import { printJson, printTable } from "../../print.ts";

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
    .option("--path <paths...>", "only these files")
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

type What = { commandId: CommandId; paths?: string[] } | { sinceMs: number; paths?: string[] };

function whatOf(id: CommandId | undefined, { to, path }: UndoOptions): What {
  if ((id === undefined) === (to === undefined)) {
    throw new InvalidArgumentError("Give either a command, or --to with a time.");
  }
  const paths = path ? { paths: path.map((name) => Buffer.from(name, "utf8").toString("latin1")) } : {};
  return id === undefined ? { sinceMs: to as number, ...paths } : { commandId: id, ...paths };
}

async function runUndo(client: ControlClient, what: What, options: UndoOptions): Promise<void> {
  const plan = await client.changes.plan.query(what);
  const conflicts = plan.steps.filter(({ action }) => action === "conflict");
  const todo = plan.steps.filter(({ action }) => action === "restore" || action === "merge");
  const mustChoose = conflicts.length > 0 && !options.keepChanged && !options.overwriteChanged;
  if (options.dryRun || mustChoose || todo.length + conflicts.length === 0) {
    if (options.json) printJson(plan);
    else printPlan(plan.steps);
    if (mustChoose && !options.dryRun) {
      process.exitCode = 1;
      process.stderr.write(
        "belay: nothing was undone, because files have changed since. --keep-changed leaves those as they are, " +
          "--overwrite-changed undoes them, too.\n",
      );
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
  process.stdout.write(`Undid changes to ${result.undone} files and folders. To undo that: belay undo ${commandId}\n`);
  if (result.skipped.length > 0) process.stdout.write(`Left unchanged: ${shown(result.skipped)}\n`);
  if (result.keptFolders.length > 0) process.stdout.write(`Not empty, so kept: ${shown(result.keptFolders)}\n`);
  process.stdout.write(`${NOT_UNDONE}\n`);
}

type Recent = Awaited<ReturnType<ControlClient["changes"]["recent"]["query"]>>;
type View = Awaited<ReturnType<ControlClient["changes"]["of"]["query"]>>;
type Steps = Awaited<ReturnType<ControlClient["changes"]["plan"]["query"]>>["steps"];
type Hunks = Awaited<ReturnType<ControlClient["changes"]["diff"]["query"]>>;

async function readDiffs(client: ControlClient, commandId: CommandId, paths: string[]): Promise<Map<string, Hunks>> {
  const diffs = new Map<string, Hunks>();
  for (const path of paths) diffs.set(path, await client.changes.diff.query({ commandId, path }));
  return diffs;
}

function printRecent(recent: Recent, { json }: { json?: boolean }): void {
  if (json) printJson(recent);
  else if (recent.length === 0) process.stdout.write("No command has changed a tracked file.\n");
  else
    printTable(
      ["COMMAND", "ENDED", "CHANGES", "LINE"],
      recent.map(({ commandId, at, summary, line }) => [
        commandId,
        new Date(at).toISOString(),
        summary,
        line ?? "(an undo)",
      ]),
    );
}

function printView({ list, problem, summary, sharedWith, undoneBy }: View, diffs: Map<string, Hunks> | null): void {
  if (!list) {
    process.exitCode = 1;
    return void process.stderr.write(`belay: ${problem ?? "not known"}\n`);
  }
  process.stdout.write(`${summary === "" ? "Nothing changed." : summary}\n`);
  if (sharedWith.length > 0) {
    const others = sharedWith.map(({ commandId }) => commandId).join(", ");
    process.stdout.write(`Other commands ran at the same time and may have made these changes: ${others}\n`);
  }
  for (const { commandId, at } of undoneBy) {
    process.stdout.write(`Taken back by ${commandId} at ${new Date(at).toISOString()}.\n`);
  }
  if (list.paths.length > 0) {
    const count = (lines: number | null) => (lines === null ? "" : String(lines));
    printTable(
      ["CHANGE", "+", "−", "PATH"],
      list.paths.map(({ kind, type, path, addedLines, removedLines }) => [
        kind,
        count(addedLines),
        count(removedLines),
        type === "folder" ? `${path}/` : path,
      ]),
    );
  }
  if (list.unlisted > 0) process.stdout.write(`… and ${list.unlisted} more\n`);
  for (const { id, path, type } of diffs ? list.paths : []) {
    if (type === "folder") continue;
    const hunks = diffs?.get(id) ?? null;
    process.stdout.write(`\n--- ${showHidden(path)}\n`);
    if (!hunks) process.stdout.write("(no text to compare)\n");
    for (const { oldStart, newStart, lines } of hunks ?? []) {
      process.stdout.write(`@@ -${oldStart} +${newStart} @@\n${lines.map(showHidden).join("\n")}\n`);
    }
  }
}

function printPlan(steps: Steps): void {
  if (steps.length === 0) return void process.stdout.write("There is nothing to undo.\n");
  printTable(
    ["WHAT", "PATH", "WHY"],
    steps.map(({ action, effect, path, reason }) => [action === "restore" ? effect : action, path, reason ?? ""]),
  );
}

function shown(paths: string[]): string {
  return paths.map(showHidden).join(", ");
}

function parseId(value: string): CommandId {
  const id = CommandId.safeParse(value);
  if (id.success) return id.data;
  throw new InvalidArgumentError("Enter an id such as cmd-…; belay changes lists them.");
}
