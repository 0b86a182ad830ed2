import { Command } from "commander";
import type { Settings } from "../../../env.ts";
import { withControl } from "../../control/client.ts";
import { printJson } from "../print.ts";

/** `belay freeze` and `belay release`: the emergency stop. */
export function freezeCommands(settings: Settings): Command[] {
  const build = (name: "freeze" | "release", description: string, done: string) =>
    new Command(name)
      .description(description)
      .argument("[agent]", "one agent by its name; all of them without it")
      .option("--json", "print JSON")
      .action(async (agent: string | undefined, options: { json?: boolean }) => {
        const frozen = await withControl(settings, async (client) => {
          const agents = await client.agents.list.query();
          const found = agents.find((row) => row.name === agent);
          if (agent !== undefined && !found)
            throw new Error(`No agent "${agent}". List the agents to see their names.`);
          await client.gateway[name].mutate({ scope: found?.id ?? "*" });
          return client.gateway.frozen.query();
        });
        if (options.json) return printJson(frozen);
        process.stdout.write(`${agent ?? "Every agent"} is ${done}.\n`);
      });
  return [
    build("freeze", "Stop every agent, or one, at once", "frozen"),
    build("release", "Let them work again", "released"),
  ];
}
