import type { AuditLog } from "../audit/audit-log.ts";
import type { Cluster } from "../cluster/cluster.ts";
import type { EventBus } from "../events.ts";
import type { People } from "../people/people.ts";
import type { PolicyChanges } from "../policy/policy-changes.ts";
import type { PolicyStore } from "../policy/policy-store.ts";
import type { Previews } from "../previews/previews.ts";
import type { Db } from "../store/database.ts";
import { Approvals } from "./approvals.ts";
import { Freezer } from "./freezer.ts";
import { openOwnAgents } from "./own-agents.ts";

export interface ApprovalsRoom {
  approvals: Approvals;
  freezer: Freezer;
}

interface Deps {
  db: Db;
  audit: AuditLog;
  events: EventBus;
  policy: PolicyStore;
  policyChanges: PolicyChanges;
  people: People;
  cluster: Cluster;
  assertCanApply: Previews["assertCanApply"];
  whyNotNow: () => Promise<string | null>;
  now: () => number;
}

/** Opens the questions for people, and the emergency stop, which pauses their deadlines. */
export function openApprovals({ cluster, policy, ...deps }: Deps): ApprovalsRoom {
  const freezer = new Freezer({ ...deps, tellOthers: () => cluster.readAgainEverywhere() });
  const approvals = new Approvals({
    ...deps,
    freezer,
    tellsNames: () => policy.settings.approval.tellNames,
    ownAgents: openOwnAgents({ db: deps.db, policy }),
  });
  freezer.whenReleased((...released) => approvals.resumeDeadlines(...released));
  return { approvals, freezer };
}
