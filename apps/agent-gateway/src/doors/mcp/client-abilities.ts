import {
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  type ServerContext,
} from "@modelcontextprotocol/server";

/** The tasks extension of the 2026 protocol. */
export const TASKS_EXTENSION = "io.modelcontextprotocol/tasks";

/** Whether the client can ask after a command by itself that nobody waits for. */
export function knowsTasks(context: ServerContext): boolean {
  return TASKS_EXTENSION in (abilitiesOf(context).extensions ?? {});
}

/** Whether the client can show its user a page. Only the 2026 protocol can ask for that without a connection that stays. */
export function canOpenPages(context: ServerContext): boolean {
  return abilitiesOf(context).elicitation?.url !== undefined;
}

/** What the client said of itself with this very request; nothing, in the 2025 protocol. */
function abilitiesOf({ mcpReq }: ServerContext): ClientCapabilities {
  const envelope = mcpReq.envelope as Record<string, unknown> | undefined;
  return (envelope?.[CLIENT_CAPABILITIES_META_KEY] as ClientCapabilities | undefined) ?? {};
}
