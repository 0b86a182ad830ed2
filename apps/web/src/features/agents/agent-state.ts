import type { AgentListEntry } from "@belay/agent-gateway/router";
import type { Tone } from "@/ui/badge.tsx";

export type AgentState = "revoked" | "expired" | "frozen" | "connected" | "waiting";

/** The state of an agent. "Seen" means since the gateway started. */
export function stateOf(
  { revokedAt, expiresAt, seenAt }: Pick<AgentListEntry, "revokedAt" | "expiresAt" | "seenAt">,
  isFrozen: boolean,
  now: number,
): AgentState {
  if (revokedAt !== null) return "revoked";
  if (expiresAt !== null && expiresAt <= now) return "expired";
  if (isFrozen) return "frozen";
  return seenAt === null ? "waiting" : "connected";
}

export const STATE_WORDS: Record<AgentState, { words: string; tone: Tone }> = {
  revoked: { words: "revoked", tone: "quiet" },
  expired: { words: "expired", tone: "quiet" },
  frozen: { words: "frozen", tone: "danger" },
  connected: { words: "connected", tone: "accent" },
  waiting: { words: "not seen yet", tone: "quiet" },
};
