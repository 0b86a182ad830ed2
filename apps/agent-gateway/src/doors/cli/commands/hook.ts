import { HookClient } from "@belay/protocol";
import { Argument, Command, Option } from "commander";
import type { Settings } from "../../../env.ts";

/**
 * `belay hook CLIENT` is a small separate program (`hook.ts`), and delegates to this only if no gateway runs and the
 * policy may want commands to be judged anyway. It works on the data folder under its lock, so that they are recorded.
 */
export function hookCommand(settings: Settings): Command {
  return new Command("hook")
    .description("Ask about a command that a client is about to run in its own shell; belay connect sets it up")
    .addArgument(new Argument("<client>", "the client whose hook it is").choices(HookClient.options))
    .option("--agent <name>", "the agent's name, added if it is new (default: the client's name)")
    .addOption(new Option("--offline", "judge here, without a gateway").hideHelp())
    .action(async (client: HookClient, { agent }: { agent?: string }) => {
      const { judgeOffline } = await import("../judge-offline.ts");
      await judgeOffline(settings, client, agent ?? client);
    });
}
