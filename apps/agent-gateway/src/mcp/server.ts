import { createMcpHandler, type McpHttpHandler, McpServer } from "@modelcontextprotocol/server";
import type { Gateway } from "../gateway.ts";
import type { AgentRow } from "../store/agents.ts";
import { VERSION } from "../version.ts";
import { registerUnified } from "./toolsets/unified.ts";

/** MCP over Streamable HTTP, for both protocol eras. Each request gets a server of its own that knows its agent. */
export function createMcpEndpoint(gateway: Gateway): McpHttpHandler {
  return createMcpHandler(
    ({ authInfo }) => {
      const agent = authInfo?.extra?.agent as AgentRow | undefined;
      if (!agent) throw new Error("A request reached MCP without an agent.");
      const server = new McpServer({ name: "belay", version: VERSION });
      registerUnified(server, agent, gateway);
      return server;
    },
    { onerror: (error) => gateway.log.warn({ err: error }, "MCP request failed") },
  );
}
