import type { ClientSessionRow } from "@belay/agent-gateway/router";

/** What names a conversation in the address of its page. */
export function keyOf({ agentId, client, session }: ClientSessionRow): string {
  return [agentId, client, session ?? ""].join(" ");
}
