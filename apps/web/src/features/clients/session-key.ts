import type { ClientSessionRow } from "@belay/agent-gateway/router";

/** The key of a conversation in the page's address. */
export function keyOf({ agentId, client, session }: ClientSessionRow): string {
  return [agentId, client, session ?? ""].join(" ");
}
