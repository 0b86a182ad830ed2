import { createMcpHandler, type McpHttpHandler, McpServer } from "@modelcontextprotocol/server";
import type { Gateway } from "../gateway.ts";
import type { AgentRow } from "../store/agents.ts";
import { VERSION } from "../version.ts";
import { AgentDesks } from "./agent-desk.ts";
import { type Toolset, toolsets } from "./toolset.ts";

/** MCP over Streamable HTTP, for both protocol eras. Each request gets a server of its own that knows its agent. */
export function createMcpEndpoint(gateway: Gateway): McpHttpHandler {
  const desks = new AgentDesks(gateway);
  const handler = createMcpHandler(
    ({ authInfo }) => {
      const { agent, toolset } = (authInfo?.extra ?? {}) as { agent?: AgentRow; toolset?: Toolset };
      if (!agent || !toolset) throw new Error("A request reached MCP without an agent or a toolset.");
      const server = new McpServer({ name: "belay", version: VERSION });
      const host = { agent, gateway, desk: desks.of(agent.id) };
      for (const register of toolsets[toolset]) register(server, host);
      return server;
    },
    { onerror: (error) => gateway.log.warn({ err: error }, "MCP request failed") },
  );
  return {
    ...handler,
    close: async () => {
      desks.close();
      await handler.close();
    },
  };
}
