import { CoreError } from "@belay/core";
import { CommandId } from "@belay/protocol";
import type {
  CallToolResult,
  InputRequiredResult,
  McpServer,
  ServerContext,
  ToolAnnotations,
} from "@modelcontextprotocol/server";
import { z } from "zod";
import { type Hold, LONGEST_HOLD_MS } from "../../commands/commands.ts";
import { GatewayError } from "../../errors.ts";
import type { Gateway } from "../../gateway.ts";
import type { AgentRow } from "../../store/tables/agents.ts";
import { CONVERSATION_META, ConversationId } from "../conversation.ts";
import { canOpenPages, knowsTasks } from "./client-abilities.ts";
import type { ConversationMemories, ConversationMemory } from "./conversation-memory.ts";
import type { OpenConversation } from "./open-conversation.ts";
import { offeredSchema } from "./toolsets/offered-schema.ts";

/** What every tool has access to. */
export interface ToolHost {
  agent: AgentRow;
  conversation: OpenConversation;
  gateway: Gateway;
  /** This conversation's read positions, and results to report. */
  memory: ConversationMemory;
  memories: ConversationMemories;
  /** Whether the client requested replies as data, beside the text. */
  wantsStructured: boolean;
}

export function createToolHost({
  conversation,
  memories,
  ...host
}: Pick<ToolHost, "conversation" | "gateway" | "memories" | "wantsStructured">): ToolHost {
  return { ...host, conversation, agent: conversation.agent, memories, memory: memories.of(conversation) };
}

/** One call of a tool: who calls, and how long it may be held. */
export interface ToolCall extends ToolHost {
  signal: AbortSignal;
  /** Whether the client can poll a task by itself. */
  knowsTasks: boolean;
  /** Whether the client can show its user a page. */
  canOpenPages: boolean;
  /** The command that an earlier round of this call has started. */
  startedBefore: CommandId | null;
  /** The longest possible wait of this call, if the tool itself would wait for `limitMs`. */
  longestWait(limitMs: number): number;
  /** Runs a long operation: up to the tool's own limit if the client is shown progress, otherwise 45 s. */
  hold<Result>(limitMs: number, work: (hold: Hold) => Promise<Result>): Promise<Result>;
}

interface ToolSpec<Input extends z.ZodObject, Output extends z.ZodObject> {
  name: string;
  title: string;
  description: string;
  input: Input;
  output: Output;
  /** The hints that clients decide by, without those that the protocol assumes anyway. */
  annotations: ToolAnnotations & { readOnlyHint: boolean };
  /** Annotations of the tool, for clients. */
  meta?: Record<string, unknown>;
}

const PROGRESS_EVERY_MS = 5_000;
/** Reserved for rendering the reply, so that the whole call stays within 45 s. */
export const REPLY_MS = 1_000;

/** Registers a tool. A request that cannot be served comes back as an error that the model can read and act on. */
export function addTool<Input extends z.ZodObject, Output extends z.ZodObject>(
  server: McpServer,
  host: ToolHost,
  { name, title, description, input, output, annotations, meta }: ToolSpec<Input, Output>,
  serve: (input: z.output<Input>, call: ToolCall) => Promise<CallToolResult | InputRequiredResult>,
): void {
  const handle = async (given: z.output<Input>, context: ServerContext) => {
    try {
      const result = await serve(given, createCall(withOwnConversation(host, context), context));
      return host.wantsStructured ? result : withoutData(result);
    } catch (error) {
      return refuse(messageOf(error, name, host.gateway));
    }
  };
  // The SDK's types want a statically known schema; its input has been parsed with ours.
  const schemas = {
    inputSchema: offeredSchema(input as z.ZodObject),
    ...(host.wantsStructured ? { outputSchema: offeredSchema(output as z.ZodObject) } : {}),
  };
  const spec = { title, description, ...schemas, annotations, ...(meta ? { _meta: meta } : {}) };
  server.registerTool(name, spec, (given, context) => handle(given as z.output<Input>, context));
}

/** The text says everything; most clients would make their model pay for the same twice. */
function withoutData<Result extends object>(result: Result): Result {
  const { structuredContent: _, ...text } = result as Result & { structuredContent?: unknown };
  return text as Result;
}

/** A call that was not served, and why. */
export function refuse(message: string): CallToolResult {
  return { content: [{ type: "text", text: message }], isError: true };
}

function createCall(host: ToolHost, context: ServerContext): ToolCall {
  const { mcpReq } = context;
  const token = mcpReq._meta?.progressToken;
  const calledAt = performance.now();
  // The parts of a call share one time limit.
  const leftMs = () => Math.max(0, LONGEST_HOLD_MS - (performance.now() - calledAt));
  const maxMs = (limitMs: number) => (token === undefined ? Math.min(limitMs, leftMs()) : limitMs);
  return {
    ...inConversation(host, mcpReq._meta?.[CONVERSATION_META]),
    signal: mcpReq.signal,
    knowsTasks: knowsTasks(context),
    canOpenPages: canOpenPages(context),
    startedBefore: CommandId.safeParse(mcpReq.requestState()).data ?? null,
    longestWait: (limitMs) => Math.max(0, maxMs(limitMs + REPLY_MS) - REPLY_MS),
    hold: async (limitMs, work) => {
      const hold = { signal: mcpReq.signal, maxMs: maxMs(limitMs) };
      if (token === undefined) return work(hold);
      const beganAt = performance.now();
      const tell = () => {
        const seconds = Math.round((performance.now() - beganAt) / 1000);
        const params = { progressToken: token, progress: seconds, message: `waiting, ${seconds} s` };
        // A disconnected client needs no progress.
        mcpReq.notify({ method: "notifications/progress", params }).catch(() => {});
      };
      const timer = setInterval(tell, PROGRESS_EVERY_MS);
      tell();
      try {
        return await work(hold);
      } finally {
        clearInterval(timer);
      }
    },
  };
}

/** A server may serve many requests of its agent, each with its own conversation. */
function withOwnConversation(host: ToolHost, { http }: ServerContext): ToolHost {
  const { conversation } = (http?.authInfo?.extra ?? {}) as { conversation?: OpenConversation };
  if (conversation === undefined || conversation === host.conversation) return host;
  if (conversation.agent.id !== host.agent.id) throw new Error("A request reached another agent's server.");
  return createToolHost({ ...host, conversation });
}

/** A client without sessions can name the conversation in each call. */
function inConversation(host: ToolHost, named: unknown): ToolHost {
  if (named === undefined) return host;
  const id = ConversationId.safeParse(named);
  if (!id.success)
    throw new GatewayError("bad-request", id.error.issues[0]?.message ?? "That is not a valid conversation id.");
  return createToolHost({ ...host, conversation: { ...host.conversation, id: id.data } });
}

function messageOf(error: unknown, tool: string, gateway: Gateway): string {
  if (error instanceof CoreError || error instanceof GatewayError) return error.message;
  if (error instanceof z.ZodError) return z.prettifyError(error);
  gateway.log.error({ err: error, tool }, "a tool failed");
  return "This call failed in Belay, and its log says why. A command that had started may still be running: check before you try again.";
}
