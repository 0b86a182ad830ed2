import type { Actor, AuditEvent } from "@belay/protocol";
import { Command } from "commander";
import { withControl } from "../control/client.ts";
import type { Settings } from "../env.ts";
import { printJson, printTable } from "./print.ts";

/** `belay audit …`: what happened, and the proof that nobody changed it. */
export function auditCommand(settings: Settings): Command {
  const audit = new Command("audit").description("The record of everything that happened");

  audit
    .command("verify")
    .description("Check that the record is what was written; exit code 1 where it is not")
    .option("--json", "print JSON")
    .action(async (options: { json?: boolean }) => {
      const result = await withControl(settings, (client) => client.audit.verify.query());
      if (!result.ok) process.exitCode = 1;
      if (options.json) return printJson(result);
      process.stdout.write(
        result.ok
          ? `The record is whole: ${result.rows} rows, ${result.checkpoints} signed checkpoints.\n`
          : `The record is NOT what was written. ${result.problem}\n`,
      );
    });

  audit
    .command("tail")
    .description("The newest rows, oldest of them first")
    .option("-n, --lines <count>", "how many", "20")
    .option("--json", "print JSON")
    .action(async (options: { lines: string; json?: boolean }) => {
      const limit = Number(options.lines);
      const events = await withControl(settings, (client) => client.audit.search.query({ limit }));
      if (options.json) return printJson(events.reverse());
      printTable(["SEQ", "TIME", "WHAT", "WHO", "ABOUT"], events.reverse().map(toRow));
    });

  return audit;
}

function toRow(event: AuditEvent): string[] {
  const about = event.detail.line ?? event.commandId ?? event.terminalId ?? event.detail.name ?? "";
  return [String(event.seq), new Date(event.at).toISOString(), event.type, who(event.actor), JSON.stringify(about)];
}

function who(actor: Actor): string {
  return "id" in actor ? actor.id : actor.type;
}
