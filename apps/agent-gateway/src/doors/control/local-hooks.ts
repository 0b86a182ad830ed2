import type { IncomingMessage, ServerResponse } from "node:http";
import { json } from "node:stream/consumers";
import { HookClient } from "@belay/protocol";
import { z } from "zod";
import { GatewayError } from "../../errors.ts";
import type { Gateway } from "../../gateway.ts";
import { answerHook, answerWithin, HookQuery } from "../hooks/answer-hook.ts";
import { sendReply } from "../hooks/send-reply.ts";
import { findLocalAgent } from "./local-agent.ts";

/** `/hooks/CLIENT?agent=NAME&timeout=SECONDS` on the control socket: used by `belay hook` on the same machine. */
export function createLocalHooks(gateway: Gateway) {
  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const gone = new AbortController();
    response.on("close", () => gone.abort());
    try {
      const { pathname, searchParams } = new URL(request.url ?? "/", "http://belay");
      const client = HookClient.parse(pathname.slice("/hooks/".length));
      const query = HookQuery.parse(Object.fromEntries(searchParams));
      await answerHook(gateway, {
        client,
        agent: await findLocalAgent(gateway, searchParams.get("agent")),
        payload: await json(request),
        answerWithinMs: answerWithin(query),
        signal: gone.signal,
        send: (reply) => sendReply(response, () => send(response, 200, reply)),
      });
    } catch (error) {
      if (gone.signal.aborted) return; // its hook has denied the command already, and nothing was judged
      if (error instanceof z.ZodError) return send(response, 400, { message: error.issues[0]?.message ?? "bad call" });
      if (error instanceof GatewayError) return send(response, 403, { message: error.message });
      if (error instanceof SyntaxError) return send(response, 400, { message: "The call is not JSON." });
      gateway.log.error({ err: error }, "a hook on the control socket failed");
      send(response, 500, { message: "Belay could not judge the command. Its log says why." });
    }
  };
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}
