import type { AgentListEntry } from "@belay/agent-gateway/router";
import { Age } from "@/features/terminals/overview/age.tsx";
import { Badge } from "@/ui/badge.tsx";
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
  const { words, tone } = STATE_WORDS[state];
  return (
    <li>
      <button
        type="button"
        onClick={onSelect}
        aria-current={isSelected ? "true" : undefined}
        className="flex min-h-12 w-full cursor-pointer items-center gap-3 px-4 py-2 text-left hover:bg-sunken aria-[current]:bg-sunken"
      >
        <span className="min-w-0 flex-1 truncate font-medium">{agent.name}</span>
        <span className="w-24 truncate text-sm text-muted @max-md:hidden">{agent.profile}</span>
        <span className="w-24 truncate text-sm text-muted @max-xl:hidden">{agent.wall?.isolation ?? "no wall"}</span>
        <span className="w-28 text-right text-xs text-muted @max-lg:hidden">
          {agent.seenAt !== null && <Age at={agent.seenAt} suffix=" ago" />}
        </span>
        <span className="flex w-24 shrink-0 justify-end">
          <Badge tone={tone}>{words}</Badge>
        </span>
      </button>
    </li>
  );
}
