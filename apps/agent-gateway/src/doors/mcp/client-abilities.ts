import {
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  type ServerContext,
} from "@modelcontextprotocol/server";

/** The tasks extension of the 2026 protocol. */
export const TASKS_EXTENSION = "io.modelcontextprotocol/tasks";

/** Whether the client can poll a task by itself. */
export function knowsTasks(context: ServerContext): boolean {
  return TASKS_EXTENSION in (abilitiesOf(context).extensions ?? {});
}

/** Whether the client can show its user a page. Only the 2026 protocol supports that without a persistent connection. */
export function canOpenPages(context: ServerContext): boolean {
  return abilitiesOf(context).elicitation?.url !== undefined;
}

/** The capabilities that the client sent with this request; none in the 2025 protocol. */
function abilitiesOf({ mcpReq }: ServerContext): ClientCapabilities {
  const envelope = mcpReq.envelope as Record<string, unknown> | undefined;
  return (envelope?.[CLIENT_CAPABILITIES_META_KEY] as ClientCapabilities | undefined) ?? {};
}
