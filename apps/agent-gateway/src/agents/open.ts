import type { TerminalPool } from "@belay/core";
import type { Approvals } from "../approvals/approvals.ts";
import type { AuditLog } from "../audit/audit-log.ts";
import type { Cluster } from "../cluster/cluster.ts";
import type { Settings } from "../env.ts";
import type { EventBus } from "../events.ts";
import type { Fleet } from "../machines/fleet.ts";
import type { PolicyStore } from "../policy/policy-store.ts";
import type { Db } from "../store/database.ts";
import { Agents } from "./agents.ts";
import { Workspaces } from "./workspaces.ts";

export interface AgentsRoom {
  agents: Agents;
  workspaces: Workspaces;
}

interface Deps {
  settings: Settings;
  db: Db;
  audit: AuditLog;
  events: EventBus;
  policy: PolicyStore;
  approvals: Approvals;
  terminals: TerminalPool;
  fleet: Fleet;
  cluster: Cluster;
  now: () => number;
}

/** Opens the agents with their tokens, and the choice of the folder that each works in. */
export function openAgents({ settings, fleet, cluster, ...deps }: Deps): AgentsRoom {
  const agents = new Agents({
    ...deps,
    endTerminal: (id, reason) => fleet.end(id, reason),
    endTerminalsElsewhere: (id) => cluster.endTerminalsElsewhere(id),
  });
  return { agents, workspaces: new Workspaces({ policy: deps.policy, workspace: settings.workspace }) };
}
