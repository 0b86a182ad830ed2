import { Command, InvalidArgumentError } from "commander";
import type { Settings } from "../../../../env.ts";
import { withControl } from "../../../control/client.ts";
import { printJson, printTable } from "../../print.ts";

const MINUTE_MS = 60_000;

/** `belay gateway …`: the gateways that share a database. */
export function gatewayCommand(settings: Settings): Command {
  const gateway = new Command("gateway").description("The gateways that have used this PostgreSQL database");

  gateway
    .command("list")
    .description("List all that have ever used the database, with their numbers in the record")
    .option("--json", "print JSON")
    .action(async (options: { json?: boolean }) => {
      const all = await withControl(settings, (client) => client.gateway.onRecord.query());
      if (options.json) return printJson(all);
      if (all.length === 0)
        return void process.stdout.write("This gateway keeps its data in SQLite, so it is the only one.\n");
      printTable(
        ["NUMBER", "NAME", "STATE"],
        all.map(({ number, name, silentMs, isRetired, isThis }) => [
          String(number),
          isThis ? `${name} (this one)` : name,
          isRetired ? "retired" : silentMs < MINUTE_MS ? "there" : `last there ${ago(silentMs)} ago`,
        ]),
      );
    });

  gateway
    .command("retire <number>")
    .description("A gateway is gone for good: it cannot come back, and the others remove its rows when they are old")
    .option("--json", "print JSON")
    .action(async (text: string, options: { json?: boolean }) => {
      const number = Number(text);
      if (!Number.isInteger(number) || number < 0)
        throw new InvalidArgumentError("Enter the number that `belay gateway list` shows.");
      const retired = await withControl(settings, (client) => client.gateway.retire.mutate({ number }));
      if (options.json) return printJson(retired);
      process.stdout.write(
        `Gateway ${number} (${retired.name}) is retired. Keep its data folder if you may have to prove what it recorded.\n`,
      );
    });

  return gateway;
}

function ago(ms: number): string {
  const minutes = Math.round(ms / MINUTE_MS);
  if (minutes < 120) return `${minutes} min`;
  const hours = Math.round(minutes / 60);
  return hours < 48 ? `${hours} h` : `${Math.round(hours / 24)} days`;
}
