import { Command, InvalidArgumentError } from "commander";
import type { Settings } from "../../../../env.ts";
import { BELAY } from "../../../../paths.ts";
import { withControl } from "../../../control/client.ts";
import { printJson, printTable } from "../../print.ts";

/** `belay machine …`: other machines that run terminals for this gateway. */
export function machineCommand(settings: Settings): Command {
  const machine = new Command("machine").description("Other machines that run terminals for this gateway");

  machine
    .command("add <name>")
    .description("Make a token with which one machine can join, once; it is shown only now")
    .option("--hours <count>", "how long the token can be used", hours, 1)
    .option("--json", "print JSON")
    .action(async (name: string, options: { hours: number; json?: boolean }) => {
      const added = await withControl(settings, (client) => client.machines.add.mutate({ name, hours: options.hours }));
      if (options.json) return printJson(added);
      const valid = options.hours === 1 ? "one hour" : `${options.hours} hours`;
      process.stdout.write(
        `On that machine, with Belay installed, within ${valid} and in the folder where its shells are to start:\n\n` +
          `  BELAY_JOIN_TOKEN=${added.token} \\\n    ${BELAY} host --join ${settings.publicUrl ?? `http://${settings.host}:${settings.port}`}\n\n` +
          `The token works once and is shown only now. Then let agents use the machine: ${BELAY} agent add NAME --machines ${added.name}\n`,
      );
    });

  machine
    .command("list")
    .description("List the machines")
    .option("--json", "print JSON")
    .action(async (options: { json?: boolean }) => {
      const machines = await withControl(settings, (client) => client.machines.list.query());
      if (options.json) return printJson(machines);
      if (machines.length === 0)
        return void process.stdout.write(`No other machines yet. Add one: ${BELAY} machine add NAME\n`);
      printTable(
        ["NAME", "STATE", "TERMINALS", "RUNS", "LAST SEEN"],
        machines.map(({ name, state, connectedTo, openTerminals, facts, skew, seenAt }) => [
          name,
          connectedTo === null ? state.status : `connected to ${connectedTo}`,
          // Only the gateway that it is connected to knows its terminals.
          connectedTo === null ? String(openTerminals) : "-",
          facts ? `${facts.program}${skew === null ? "" : ` (the gateway: ${skew})`}` : "-",
          seenAt === null ? "never" : new Date(seenAt).toISOString(),
        ]),
      );
    });

  machine
    .command("revoke <name>")
    .description("Revoke a machine: its terminals end, and it cannot connect again")
    .option("--json", "print JSON")
    .action(async (name: string, options: { json?: boolean }) => {
      await withControl(settings, (client) => client.machines.revoke.mutate({ name }));
      if (options.json) return printJson({ name });
      process.stdout.write(`Machine ${name} is revoked.\n`);
    });

  return machine;
}

function hours(text: string): number {
  const count = Number(text);
  if (Number.isInteger(count) && count >= 1 && count <= 720) return count;
  throw new InvalidArgumentError("Enter a whole number from 1 to 720.");
}
