import { Command, InvalidArgumentError } from "commander";
import type { Settings } from "../../../env.ts";
import { withControl } from "../../control/client.ts";
import { printJson, printTable } from "../print.ts";

const refusals = {
  "not-in-trash": "The trash has nothing with this id; belay trash list shows its contents.",
  "path-taken": "There is already a file at that path. Move it away and try again.",
  "folder-moved": "Its original folder is now a link, or was moved.",
} as const;

/** `belay trash …`: files that agents removed in the workspace. */
export function trashCommand(settings: Settings): Command {
  const trash = new Command("trash").description("Files that agents removed in the workspace");

  trash
    .command("list")
    .description("List the contents of the trash")
    .option("--json", "print JSON")
    .action(async (options: { json?: boolean }) => {
      const items = await withControl(settings, (client) => client.trash.list.query());
      if (options.json) return printJson(items);
      if (items.length === 0) return void process.stdout.write("The trash is empty.\n");
      printTable(
        ["ID", "REMOVED", "KIND", "PATH"],
        // As JSON, so that control characters in a name cannot paint on this terminal.
        items.map(({ id, deletedAt, kind, path }) => [
          id,
          new Date(deletedAt).toISOString(),
          kind,
          JSON.stringify(path),
        ]),
      );
    });

  trash
    .command("restore <id>")
    .description("Restore an item to its original path; never overwrites")
    .option("--json", "print JSON")
    .action(async (id: string, options: { json?: boolean }) => {
      const outcome = await withControl(settings, (client) => client.trash.restore.mutate({ id }));
      if (outcome.status === "refused") process.exitCode = 1;
      if (options.json) return printJson(outcome);
      if (outcome.status === "refused") process.stderr.write(`belay: not restored. ${refusals[outcome.reason]}\n`);
      else process.stdout.write(`Restored ${JSON.stringify(outcome.path)}.\n`);
    });

  trash
    .command("empty")
    .description("Delete for good")
    .option("--older-than <days>", "only items removed more than this many days ago", parseDays)
    .option("--json", "print JSON")
    .action(async (options: { olderThan?: number; json?: boolean }) => {
      const request = options.olderThan === undefined ? {} : { olderThanDays: options.olderThan };
      const result = await withControl(settings, (client) => client.trash.empty.mutate(request));
      if (options.json) return printJson(result);
      process.stdout.write(`Deleted ${result.removedItems} items, ${result.freedBytes.toLocaleString("en")} bytes.\n`);
    });

  return trash;
}

function parseDays(value: string): number {
  const days = Number(value);
  if (!Number.isFinite(days) || days < 0) throw new InvalidArgumentError("Enter a number of days, such as 30.");
  return days;
}
