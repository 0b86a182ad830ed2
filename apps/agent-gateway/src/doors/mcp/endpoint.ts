import type { IncomingMessage, ServerResponse } from "node:http";
import type { AgentId } from "@belay/protocol";
import { toNodeHandler } from "@modelcontextprotocol/node";
import { createMcpHandler, type McpHttpHandler, type McpServer } from "@modelcontextprotocol/server";
import type { Gateway } from "../../gateway.ts";
import { newId } from "../../store/new-id.ts";
import type { AgentRow } from "../../store/tables/agents.ts";
import type { ConversationHints } from "../conversation.ts";
import { ConversationMemories } from "./conversation-memory.ts";
import { DirectCalls, isPlainCall } from "./direct-calls.ts";
import { type OpenConversation, openConversation } from "./open-conversation.ts";
import { LiveOutput } from "./output/live-output.ts";
import { createServer } from "./server.ts";
import { createToolHost } from "./tool-call.ts";
import type { WantedTools } from "./toolset.ts";

/** How many change streams one agent may have open. */
const MAX_SUBSCRIPTIONS = 16;

/** What a request passes to its server. */
interface Call {
  conversation: OpenConversation;
  wanted: WantedTools;
}

interface Door {
  handler: McpHttpHandler;
  serve: ReturnType<typeof toNodeHandler>;
  /** By toolset. */
  direct: Map<string, DirectCalls>;
}

/**
 * MCP over Streamable HTTP, for both protocol eras.
 *
 * Each agent has its own handler, so that notifications for one never reach
 * another; behind it, each request gets a server that knows its agent. Plain tool calls, which are most of them,
 * share one.
 */
export class McpEndpoint {
  readonly #gateway: Gateway;
  readonly #memories: ConversationMemories;
  readonly #doors = new Map<AgentId, Door>();

  constructor(gateway: Gateway) {
    this.#gateway = gateway;
    this.#memories = new ConversationMemories(gateway);
  }

  /** Serves one request of an authenticated agent. */
  async serve(
    request: IncomingMessage,
    response: ServerResponse,
    { agent, wanted, hints, body }: { agent: AgentRow; wanted: WantedTools; hints: ConversationHints; body?: unknown },
  ): Promise<void> {
    const conversation = await openConversation(agent, hints, this.#gateway);
    const extra: Call = { conversation, wanted };
    const auth = { token: "", clientId: agent.id, scopes: [], extra: { ...extra } };
    // A client of the 2025 protocol sends its session id with every request: that is its conversation.
    if (hints.conversationId === null && isInitialize(body)) response.setHeader("mcp-session-id", newId("cnv"));
    // Some responses stay open for long; they end when the token does.
    const stopWatching = this.#gateway.access.watch({ type: "agent", agent }, () => response.destroy());
    response.once("close", stopWatching);
    const door = this.#door(agent.id);
    if (isPlainCall(request, body)) await this.#direct(door, extra).serve(body, response, auth);
    else await door.serve(Object.assign(request, { auth }), response, body);
  }

  async close(): Promise<void> {
    this.#memories.close();
    const doors = [...this.#doors.values()];
    const closing = doors.flatMap(({ handler, direct }) => [handler, ...direct.values()]);
    await Promise.all(closing.map((one) => one.close()));
  }

  #direct({ direct }: Door, { conversation, wanted }: Call): DirectCalls {
    const key = `${wanted.toolset} ${wanted.wantsStructured}`;
    const known = direct.get(key);
    if (known) return known;
    const calls = new DirectCalls(this.#server({ conversation, wanted }, { isModern: false }));
    direct.set(key, calls);
    return calls;
  }

  #server({ conversation, wanted }: Call, { isModern }: { isModern: boolean }): McpServer {
    const { toolset, wantsStructured } = wanted;
    const host = createToolHost({ conversation, gateway: this.#gateway, memories: this.#memories, wantsStructured });
    return createServer(host, { toolset, isModern });
  }

  #door(id: AgentId): Door {
    const known = this.#doors.get(id);
    if (known) return known;
    // Mostly invalid requests, which the client was told about.
    const onerror = (error: Error) => this.#gateway.log.info({ err: error, agentId: id }, "an MCP request failed");
    const handler = createMcpHandler(
      ({ authInfo, era }) => {
        const { conversation, wanted } = (authInfo?.extra ?? {}) as Partial<Call>;
        if (conversation?.agent.id !== id || !wanted) throw new Error("A request reached MCP without its agent.");
        return this.#server({ conversation, wanted }, { isModern: era === "modern" });
      },
      { onerror, maxSubscriptions: MAX_SUBSCRIPTIONS, bus: new LiveOutput({ agentId: id, gateway: this.#gateway }) },
    );
    const door: Door = { handler, serve: toNodeHandler(handler, { onerror }), direct: new Map() };
    this.#doors.set(id, door);
    return door;
  }
}

function isInitialize(body: unknown): boolean {
  return typeof body === "object" && body !== null && (body as { method?: unknown }).method === "initialize";
}
