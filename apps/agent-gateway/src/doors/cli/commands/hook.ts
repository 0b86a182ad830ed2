import { text } from "node:stream/consumers";
import { HookClient } from "@belay/protocol";
import { Argument, Command, Option } from "commander";
import type { Settings } from "../../../env.ts";
import { openGateway } from "../../../gateway.ts";
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
    .addArgument(new Argument("<client>", "whose hook it is").choices(HookClient.options))
    .option("--agent <name>", "the agent to be, which is added if it is new (default: the client's name)")
    .addOption(new Option("--offline", "judge here, without a gateway").hideHelp())
    .action(async (client: HookClient, { agent }: { agent?: string }) => {
      end(await judgeOffline(settings, client, agent ?? client));
    });
}

async function judgeOffline(settings: Settings, client: HookClient, agent: string): Promise<HookReply> {
  const payload: unknown = JSON.parse(await text(process.stdin));
  const gateway = await openGateway(settings);
  try {
    if (gateway.policy.settings.hooks.offline === "deny") {
      const reason = "Belay is not running, so the command does not run. Start it: belay start";
      return HOOK_FORMS[client].reply({ decision: "deny", reason }, payload);
    }
    const signal = new AbortController().signal;
    // No one can answer a question now.
    return await answerHook(gateway, {
      client,
      agent: await findLocalAgent(gateway, agent),
      payload,
      answerWithinMs: 0,
      signal,
    });
  } finally {
    await gateway.close();
  }
}

function end({ stdout, stderr, exitCode }: HookReply): void {
  process.stdout.write(stdout);
  process.stderr.write(stderr);
  process.exitCode = exitCode;
}
