import type { FastifyInstance } from "fastify";
import type { Gateway } from "../../gateway.ts";
import type { McpEndpoint } from "../mcp/endpoint.ts";
import { parseToolset } from "../mcp/toolset.ts";
import { identify } from "./identify.ts";

/** `/mcp`, for agents with their token. */
export function registerMcp(app: FastifyInstance, gateway: Gateway, endpoint: McpEndpoint): void {
  app.all("/mcp", async (request, reply) => {
    const caller = await identify(request.headers, gateway);
    if (caller.type !== "agent") {
      const message = "Send an agent's token: Authorization: Bearer blt_… (npx belay agent add NAME makes one).";
      return reply.code(401).header("www-authenticate", 'Bearer realm="belay"').send({ message });
    }
    const toolset = parseToolset((request.query as Record<string, unknown>).toolset);
    if (!toolset.ok) return reply.code(400).send({ message: toolset.message });
    reply.hijack();
    const { agent } = caller;
    // A token that ends takes along what is open with it.
    const stopWatching = gateway.access.watch(caller, () => reply.raw.destroy());
    reply.raw.once("close", stopWatching);
    await endpoint.serve(request.raw, reply.raw, { agent, toolset: toolset.value, body: request.body });
  });
}
