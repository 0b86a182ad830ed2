import { existsSync } from "node:fs";
import { recordingFiles, type TerminalPool } from "@belay/core";
import { CommandId, TerminalId, type TerminalInfo } from "@belay/protocol";
import type { Agents } from "../agents/agents.ts";
import type { Approvals } from "../approvals/approvals.ts";
import type { EventBus } from "../events.ts";
import type { Machines } from "../machines/machines.ts";
import type { PolicyStore } from "../policy/policy-store.ts";
import type { Db } from "../store/database.ts";
import { findApproval } from "../store/tables/approvals.ts";
import { isOwnCommand } from "../store/tables/commands.ts";
import type { Cluster } from "./cluster.ts";

interface Deps {
  cluster: Cluster;
  db: Db;
  events: EventBus;
  policy: PolicyStore;
  approvals: Approvals;
  agents: Agents;
  machines: Machines;
  terminals: TerminalPool;
  recordingsDir: string;
}

export interface OthersServed {
  /** Whether a terminal, a recording or a waiting approval is at this gateway. */
  holdsHere(id: string): Promise<boolean>;
  stopServing(): void;
}

/** Answers the other gateways from this one's rooms, and tells them which agents and machines are here. */
export function serveOthers(deps: Deps): OthersServed {
  const { cluster, db, events, policy, approvals, agents, machines, terminals } = deps;
  const holdsHere = (id: string) => holds(id, deps);
  cluster.open({
    holds: holdsHere,
    agents: async () => {
      const open = (await terminals.list()).filter((terminal) => isOpen(terminal) && terminal.owner === "agent");
      return [...new Set([...open.flatMap(({ agentId }) => agentId ?? []), ...(await approvals.waitingAgents())])];
    },
    machines: () => machines.connected(),
    readAgain: async () => {
      await policy.refresh();
      await approvals.lookAgainAtAll();
    },
    recheckAccess: () => events.publish({ type: "person" }, "elsewhere"),
    findApproval: (id) => findApproval(db, id),
    approvalChanged: (id) => approvals.lookAgain(id),
    machineChanged: (name) => machines.lookAgain(name),
    endTerminalsOf: (id) => agents.endTerminals(id),
    countTerminalsOf: async (id) => (await terminals.list()).filter(({ agentId }) => agentId === id).length,
  });
  const stopServing = events.subscribe((event) => {
    const isTold = event.type === "terminal" ? event.event !== "changed" : /^(approval|machine)$/.test(event.type);
    if (isTold) void cluster.tell();
  });
  return { holdsHere, stopServing };
}

async function holds(id: string, { db, approvals, terminals, recordingsDir }: Deps): Promise<boolean> {
  const terminal = TerminalId.safeParse(id);
  if (!terminal.success) {
    return approvals.isWaiting(id) || (CommandId.safeParse(id).success && isOwnCommand(db, id as CommandId));
  }
  if (await terminals.get(terminal.data).then(isOpen, () => false)) return true;
  return recordingFiles(recordingsDir, terminal.data).some(existsSync);
}

function isOpen({ state }: TerminalInfo): boolean {
  return state.status !== "closed";
}
