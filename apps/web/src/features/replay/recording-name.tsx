import { useAgents } from "@/features/approvals/use-agents.ts";

/** Whose terminal it was, and its id. */
export function RecordingName({
  recording: { id, agentId, title },
}: {
  recording: { id: string; agentId: string | null; title: string };
}) {
  const agents = useAgents();
  return (
    <span className="min-w-0 flex-1 truncate">
      <span className="font-medium">{agentId === null ? title || "A person" : agents.nameOf(agentId)}</span>{" "}
      <code className="font-mono text-xs text-muted">{id}</code>
    </span>
  );
}
