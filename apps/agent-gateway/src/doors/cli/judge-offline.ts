import { text } from "node:stream/consumers";
import type { HookClient } from "@belay/protocol";
import type { Settings } from "../../env.ts";
import { openGateway } from "../../open-gateway.ts";
import { findLocalAgent } from "../control/local-agent.ts";
import { answerHook } from "../hooks/answer-hook.ts";
import { HOOK_FORMS } from "../hooks/clients/index.ts";
import type { HookReply } from "../hooks/hook-form.ts";

/** Judges and records one command on the data folder itself, because no gateway runs on it. */
export async function judgeOffline(settings: Settings, client: HookClient, agent: string): Promise<void> {
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
