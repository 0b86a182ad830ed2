import { Command } from "commander";
import { withControl } from "../control/client.ts";
import type { Settings } from "../env.ts";
import { printJson, printTable } from "./print.ts";

/** `belay agent …`: who may connect. */
export function agentCommand(settings: Settings): Command {
  const agent = new Command("agent").description("Agents that may connect");

  agent
    .command("add <name>")
    .description("Add an agent and print its token, which is shown only once")
    .option("--profile <profile>", "what it may do: restricted, standard, trusted, or one of your own", "standard")
    .option("--json", "print JSON")
    .action(async (name: string, options: { profile: string; json?: boolean }) => {
      const added = await withControl(settings, (client) =>
        client.agents.add.mutate({ name, profile: options.profile }),
      );
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
      if (agents.length === 0) return void process.stdout.write("No agents yet. Add one: npx belay agent add NAME\n");
      printTable(
        ["NAME", "PROFILE", "ADDED", "STATE"],
        agents.map((row) => [
          row.name,
          row.profile,
          new Date(row.createdAt).toISOString(),
          row.revokedAt === null ? "active" : "revoked",
        ]),
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

  return agent;
}
