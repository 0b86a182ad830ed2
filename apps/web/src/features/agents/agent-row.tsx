import type { AgentListEntry } from "@belay/agent-gateway/router";
import { Age } from "@/features/terminals/overview/age.tsx";
import { SelectRow } from "@/ui/lists/select-list.tsx";
import { type AgentState, STATE_WORDS } from "./agent-state.ts";

export function AgentRow({
  agent,
  state,
  isSelected,
  onSelect,
}: {
  agent: AgentListEntry;
  state: AgentState;
  isSelected: boolean;
  onSelect(): void;
}) {
  return (
    <SelectRow name={agent.name} state={STATE_WORDS[state]} isSelected={isSelected} onSelect={onSelect}>
      <span className="w-24 truncate text-sm text-muted @max-md:hidden">{agent.profile}</span>
      <span className="w-24 truncate text-sm text-muted @max-xl:hidden">{agent.wall?.isolation ?? "no wall"}</span>
      <span className="w-28 text-right text-xs text-muted @max-lg:hidden">
        {agent.seenAt !== null && <Age at={agent.seenAt} suffix=" ago" />}
      </span>
    </SelectRow>
  );
}
