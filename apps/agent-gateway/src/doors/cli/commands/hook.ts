import { text } from "node:stream/consumers";
import { HookClient } from "@belay/protocol";
import { Argument, Command, Option } from "commander";
import type { Settings } from "../../../env.ts";
import { openGateway } from "../../../open-gateway.ts";
import { findLocalAgent } from "../../control/local-agent.ts";
import { answerHook } from "../../hooks/answer-hook.ts";
import { HOOK_FORMS } from "../../hooks/clients/index.ts";
import type { HookReply } from "../../hooks/hook-form.ts";

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
    .action((client: HookClient, { agent }: { agent?: string }) => judgeOffline(settings, client, agent ?? client));
}

async function judgeOffline(settings: Settings, client: HookClient, agent: string): Promise<void> {
  const payload: unknown = JSON.parse(await text(process.stdin));
  const gateway = await openGateway(settings);
  try {
    if (gateway.policy.settings.hooks.offline === "deny") {
      const reason = "Belay is not running, so the command does not run. Start it: belay start";
      await print(HOOK_FORMS[client].reply({ decision: "deny", reason }, payload));
      return;
    }
    await answerHook(gateway, {
      client,
      agent: await findLocalAgent(gateway, agent),
      payload,
      answerWithinMs: 0, // no one can answer a question now
      signal: new AbortController().signal,
      send: print,
    });
  } finally {
    await gateway.close();
  }
}

/** False if the hook that started this has ended meanwhile. */
async function print({ stdout, stderr, exitCode }: HookReply): Promise<boolean> {
  process.exitCode = exitCode;
  return (await written(process.stdout, stdout)) && (await written(process.stderr, stderr));
}

function written(stream: NodeJS.WriteStream, words: string): Promise<boolean> {
  return new Promise((resolve) => {
    stream.once("error", () => resolve(false));
    stream.write(words, (error) => resolve(!error));
  });
}
