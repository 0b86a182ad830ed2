import { HookClient } from "@belay/protocol";
import type { FastifyInstance } from "fastify";
import type { Gateway } from "../../gateway.ts";
import { identify } from "../http/identify.ts";
import { answerHook, answerWithin, HookQuery } from "./answer-hook.ts";
import { HOOK_REPLY } from "./hook-reply-type.ts";
import { sendReply } from "./send-reply.ts";

const MAX_CALL_BYTES = 1024 * 1024;

/**
 * `POST /hooks/CLIENT`, with an agent's token: for clients whose hooks are HTTP requests. The body is the client's own
 * call, and the reply what the client expects.
 */
export function registerHooks(app: FastifyInstance, gateway: Gateway): void {
  app.post("/hooks/:client", { bodyLimit: MAX_CALL_BYTES }, async (request, reply) => {
    const caller = await identify(request.headers, gateway);
    if (caller.type !== "agent") {
      const message = "Send an agent's token: Authorization: Bearer blt_… (npx belay agent add NAME makes one).";
      return reply.code(401).header("www-authenticate", 'Bearer realm="belay"').send({ message });
    }
    const client = HookClient.safeParse((request.params as { client: string }).client);
    if (!client.success) {
      return reply.code(404).send({ message: `No such client. There are: ${HookClient.options.join(", ")}.` });
    }
    const query = HookQuery.safeParse(request.query);
    if (!query.success) return reply.code(400).send({ message: "timeout is a number of seconds, 1 to 3600." });
    const gone = new AbortController();
    reply.raw.on("close", () => gone.abort());
    await answerHook(gateway, {
      client: client.data,
      agent: caller.agent,
      payload: request.body,
      answerWithinMs: answerWithin(query.data),
      signal: gone.signal,
      send: (answer) =>
        sendReply(reply.raw, () => {
          // A process in between, such as `belay hook`, also needs the exit code and stderr.
          if (request.headers.accept === HOOK_REPLY)
            return void reply.header("content-type", HOOK_REPLY).send(JSON.stringify(answer));
          reply.header("content-type", "application/json").send(answer.stdout === "" ? "{}" : answer.stdout);
        }),
    });
    return reply;
  });
}
