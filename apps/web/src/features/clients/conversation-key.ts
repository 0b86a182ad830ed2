import type { ClientConversationRow } from "@belay/agent-gateway/router";

/** The key of a conversation in the page's address. */
export function keyOf({ agentId, client, session }: ClientConversationRow): string {
  return [agentId, client, session ?? ""].join(" ");
}
