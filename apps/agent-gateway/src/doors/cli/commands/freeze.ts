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
        const { frozen, notReached } = await withControl(settings, async (client) => {
          const agents = await client.agents.list.query();
          const found = agents.find((row) => row.name === agent);
          if (agent !== undefined && !found)
            throw new Error(`No agent "${agent}". List the agents to see their names.`);
          const scope = found?.id ?? "*";
          const notReached =
            name === "freeze"
              ? (await client.gateway.freeze.mutate({ scope })).notReached
              : await client.gateway.release.mutate({ scope }).then(() => []);
          return { frozen: await client.gateway.frozen.query(), notReached };
        });
        for (const gateway of notReached)
          process.stderr.write(
            `Gateway "${gateway}" did not confirm it. It starts nothing new; check what it had already begun.\n`,
          );
        if (notReached.length > 0) process.exitCode = 3;
        if (options.json) return printJson(frozen);
        process.stdout.write(`${agent ?? "Every agent"} is ${done}.\n`);
      });
  return [
    build("freeze", "Stop every agent, or one, at once", "frozen"),
    build("release", "Let them work again", "released"),
  ];
}
