import type { Act } from "../commands/act.ts";
import type { CommandOutcome } from "../commands/outcome.ts";
import { newId } from "../store/new-id.ts";
import type { AgentRow } from "../store/tables/agents.ts";
import type { TestGateway } from "./start-test-gateway.ts";

/** Waits until the command is done, even on a busy machine. */
export const PATIENTLY = { type: "idle", idleMs: null, timeoutMs: 40_000 } as const;

/** Submits an act without going through a door. */
export function submitAct(gateway: TestGateway, agent: AgentRow, act: Act): Promise<CommandOutcome> {
  const request = { commandId: newId("cmd"), agent, origin: "unified", act } as const;
  return gateway.commands.submit(request, { signal: new AbortController().signal });
}
