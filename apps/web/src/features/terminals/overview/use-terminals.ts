"use client";

import type { Approval, ApprovalId, TerminalInfo } from "@belay/protocol";
import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "@/trpc/client.ts";
import { type ActivityWords, describeActivity } from "./activity.ts";

export interface TerminalView {
  info: TerminalInfo;
  words: ActivityWords;
  /** The agent's name; null for a person's terminal. */
  agent: string | null;
  /** Its command that waits for approval. */
  approvalId: ApprovalId | null;
}

/** Every terminal, joined with its agent's name and its waiting approval. */
export function useTerminals() {
  const trpc = useTRPC();
  const terminals = useQuery(trpc.terminals.list.queryOptions());
  const agents = useQuery(trpc.agents.list.queryOptions());
  const approvals = useQuery(trpc.approvals.list.queryOptions({ state: "pending" }));
  const asked = new Map(approvals.data?.map((approval) => [approval.subject.terminalId, approval]));
  const views = terminals.data?.map(
    (info): TerminalView => ({
      info,
      words: describeActivity(info, askedIn(asked.get(info.id))),
      approvalId: asked.get(info.id)?.id ?? null,
      agent: info.agentId && (agents.data?.find(({ id }) => id === info.agentId)?.name ?? info.agentId),
    }),
  );
  return { views, error: terminals.error, refetch: terminals.refetch };
}

function askedIn(approval: Approval | undefined): { text: string; createdAt: number } | null {
  return approval ? { text: approval.subject.text, createdAt: approval.createdAt } : null;
}
