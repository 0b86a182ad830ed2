import type { IncomingMessage, ServerResponse } from "node:http";
import { z } from "zod";
import { GatewayError } from "../../errors.ts";
import type { Gateway } from "../../gateway.ts";
import { readConversationHints } from "../conversation.ts";
import type { McpEndpoint } from "../mcp/endpoint.ts";
import { parseWantedTools } from "../mcp/toolset.ts";
import { findLocalAgent } from "./local-agent.ts";

/**
 * MCP for `belay mcp` on the same machine: a client with the control token chooses its agent by name and needs
 * no agent token, which would only be one more secret to store. A new name is added with the default profile.
 */
export function createLocalMcp(gateway: Gateway, mcp: McpEndpoint) {
  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    try {
      const { searchParams } = new URL(request.url ?? "/", "http://belay");
      const wanted = parseWantedTools(Object.fromEntries(searchParams));
      if (!wanted.ok) return refuse(response, wanted.message);
      const hints = readConversationHints(Object.fromEntries(searchParams), request.headers);
      if (!hints.ok) return refuse(response, hints.message);
      const agent = await findLocalAgent(gateway, searchParams.get("agent"));
      await mcp.serve(request, response, { agent, wanted: wanted.value, hints: hints.value });
    } catch (error) {
      if (error instanceof z.ZodError)
        return refuse(response, error.issues[0]?.message ?? "That is not a valid agent name.");
      if (error instanceof GatewayError) return refuse(response, error.message);
      gateway.log.error({ err: error }, "a local MCP request failed");
      response.destroy();
    }
  };
}

function refuse(response: ServerResponse, message: string): void {
  response.writeHead(400, { "content-type": "application/json" }).end(JSON.stringify({ message }));
}
