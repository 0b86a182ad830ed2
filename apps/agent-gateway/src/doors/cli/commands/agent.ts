import { resolve } from "node:path";
import { IsolationChoice } from "@belay/protocol";
import { Command, InvalidArgumentError, Option } from "commander";
import type { Settings } from "../../../env.ts";
import { BELAY } from "../../../paths.ts";
import { withControl } from "../../control/client.ts";
import { printJson, printTable } from "../print.ts";

/** `belay agent …`: manages agents. */
export function agentCommand(settings: Settings): Command {
  const agent = new Command("agent").description("Agents that may connect");

  agent
    .command("add <name>")
    .description("Add an agent and print its token, which is shown only once")
    .option(
      "--profile <profile>",
      "what it may do: restricted, standard, trusted, or one of your own; without it, the policy's default. A looser one takes an admin: belay login",
    )
    .addOption(
      new Option("--isolation <kind>", "how its programs are isolated; without it, the profile decides").choices(
        IsolationChoice.options,
      ),
    )
    .option("--workspace <folder>", "its workspace; without it, the gateway's own", (path) => resolve(path))
    .option("--max-terminals <count>", "the most terminals it may have open", wholeNumber)
    .option("--expires <days>", "days until its token stops working", wholeNumber)
    .option("--machines <names>", "the machines it may use, separated by commas; its shells start on the first")
    .option("--json", "print JSON")
    .action(async (name: string, options: AddOptions) => {
      const added = await withControl(settings, (client) => client.agents.add.mutate(toAgent(name, options)));
      if (options.json)
        return printJson({ id: added.id, name: added.name, profile: added.profile, token: added.token });
      process.stdout.write(
        `Agent ${added.name} (${added.id}), profile ${added.profile}.\nIts token, shown only now:\n\n  ${added.token}\n`,
      );
    });

  agent
    .command("list")
    .description("List the agents")
    .option("--json", "print JSON")
    .action(async (options: { json?: boolean }) => {
      const agents = await withControl(settings, (client) => client.agents.list.query());
      if (options.json) return printJson(agents);
      if (agents.length === 0) return void process.stdout.write(`No agents yet. Add one: ${BELAY} agent add NAME\n`);
      printTable(
        ["NAME", "PROFILE", "ADDED", "STATE"],
        agents.map((row) => [row.name, row.profile, new Date(row.createdAt).toISOString(), stateOf(row)]),
      );
    });

  agent
    .command("revoke <name>")
    .description("Revoke an agent: its token stops working at once")
    .option("--json", "print JSON")
    .action(async (name: string, options: { json?: boolean }) => {
      const revoked = await withControl(settings, (client) => client.agents.revoke.mutate({ name }));
      if (options.json) return printJson(revoked);
      process.stdout.write(`Agent ${revoked.name} is revoked.\n`);
    });

  agent
    .command("reset <name>")
    .description("End all of an agent's terminals and withdraw its waiting approvals; its token stays valid")
    .option("--json", "print JSON")
    .action(async (name: string, options: { json?: boolean }) => {
      const reset = await withControl(settings, (client) => client.agents.reset.mutate({ name }));
      if (options.json) return printJson(reset);
      process.stdout.write(`Agent ${reset.agent.name} is reset. Terminals ended: ${reset.endedTerminals}.\n`);
      for (const machine of reset.endLater)
        process.stdout.write(`Its terminals on ${machine} end once that machine is connected again.\n`);
    });

  return agent;
}

interface AddOptions {
  profile?: string;
  isolation?: IsolationChoice;
  workspace?: string;
  maxTerminals?: number;
  expires?: number;
  machines?: string;
  json?: boolean;
}

function toAgent(name: string, { profile, isolation, workspace, maxTerminals, expires, machines }: AddOptions) {
  return {
    name,
    ...(profile === undefined ? {} : { profile }),
    ...(isolation === undefined ? {} : { isolation }),
    ...(workspace === undefined ? {} : { workspace }),
    ...(maxTerminals === undefined ? {} : { maxTerminals }),
    ...(machines === undefined ? {} : { machines }),
    ...(expires === undefined ? {} : { expiresAt: Date.now() + expires * 86_400_000 }),
  };
}

function wholeNumber(text: string): number {
  if (/^[1-9]\d{0,5}$/.test(text)) return Number(text);
  throw new InvalidArgumentError("Enter a whole number of 1 or more.");
}

function stateOf({ revokedAt, expiresAt }: { revokedAt: number | null; expiresAt: number | null }): string {
  if (revokedAt !== null) return "revoked";
  if (expiresAt === null) return "active";
  const until = new Date(expiresAt).toISOString();
  return expiresAt <= Date.now() ? `expired ${until}` : `active until ${until}`;
}
