import type { FastifyInstance } from "fastify";
import type { Gateway } from "../../gateway.ts";
import { BELAY } from "../../paths.ts";
import { readConversationHints } from "../conversation.ts";
import type { McpEndpoint } from "../mcp/endpoint.ts";
import { parseWantedTools } from "../mcp/toolset.ts";
import { identify } from "./identify.ts";

/** `/mcp`, for agents with their token. */
export function registerMcp(app: FastifyInstance, gateway: Gateway, endpoint: McpEndpoint): void {
  app.all("/mcp", async (request, reply) => {
    const caller = await identify(request.headers, gateway);
    if (caller.type !== "agent") {
      const message = `Send an agent's token: Authorization: Bearer blt_… (${BELAY} agent add NAME makes one).`;
      return reply.code(401).header("www-authenticate", 'Bearer realm="belay"').send({ message });
    }
    const wanted = parseWantedTools(request.query as Record<string, unknown>);
    if (!wanted.ok) return reply.code(400).send({ message: wanted.message });
    const hints = readConversationHints(request.query as Record<string, unknown>, request.headers);
    if (!hints.ok) return reply.code(400).send({ message: hints.message });
    reply.hijack();
    const { agent } = caller;
    const call = { agent, wanted: wanted.value, hints: hints.value, body: request.body };
    await endpoint.serve(request.raw, reply.raw, call);
  });
}
