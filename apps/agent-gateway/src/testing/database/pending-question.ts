import type { Approval, ApprovalId, CommandId } from "@belay/protocol";

/** A question about a command of an agent, as it is stored. */
export function pendingQuestion(asked: {
  id: ApprovalId;
  commandId: CommandId;
  agentId: Approval["subject"]["agentId"];
  text: string;
}): Approval {
  const { id, commandId, agentId, text } = asked;
  return {
    id,
    commandId,
    subject: {
      ...{ text, terminalId: "pty-1", cwd: "/", agentId, policyVersion: "v", surface: "execute" },
      ...{ argv: null, env: {}, stdin: null, shell: null, runs: [text], asked: [], profile: "standard" },
      ...{ folder: null, files: [], client: null },
    },
    verdict: { decision: "ask", level: "unknown", layer: "level", matches: [], rewrite: null, runs: [text] },
    ...{ approvers: ["operator", "admin"], approversNeeded: 1, createdAt: 1, expiresAt: null },
    state: { status: "pending" },
  };
}
