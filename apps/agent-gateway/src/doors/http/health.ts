import type { AuditLog } from "../../audit/audit-log.ts";
import type { CommandRecords } from "../../audit/command-records.ts";
import type { Changes } from "../../changes/changes.ts";
import type { Cluster } from "../../cluster/cluster.ts";
import type { PolicyStore } from "../../policy/policy-store.ts";

/** A problem. `part` is shown to everyone; `problem` has details, and only signed-in people see it. */
export interface HealthProblem {
  part: "record" | "policy" | "terminals" | "gateways" | "undo";
  problem: string;
}

interface NoticeParts {
  policy: PolicyStore;
  cluster: Cluster;
  changes: Changes;
}

/** Something that needs attention although everything works. */
export function findNotices({ policy, cluster, changes }: NoticeParts): HealthProblem[] {
  const edited =
    "The policy file was edited, and the edit waits for an admin to accept it. The old policy is in force.";
  return [
    ...(policy.waiting ? [{ part: "policy", problem: edited } as const] : []),
    ...cluster.notices().map((problem) => ({ part: "gateways", problem }) as const),
    ...changes.notices().map((problem) => ({ part: "undo", problem }) as const),
  ];
}

/** What keeps the gateway from working; empty when it is ready. */
export async function findProblems(parts: {
  audit: AuditLog;
  records: CommandRecords;
  policy: PolicyStore;
  cluster: Cluster;
  hostProblems(): Promise<string[]>;
}): Promise<HealthProblem[]> {
  const problems: HealthProblem[] = [];
  for (const problem of [await parts.audit.check(), parts.records.problem]) {
    if (problem !== null) problems.push({ part: "record", problem });
  }
  const deaf = parts.cluster.problem();
  if (deaf !== null) problems.push({ part: "gateways", problem: deaf });
  const { health } = parts.policy;
  if (health.status === "broken") {
    const broken = `The policy on disk is broken, and the last good one is in force: ${health.problems.join("; ")}`;
    problems.push({ part: "policy", problem: broken });
  }
  if (health.status === "not-taken") {
    const waits = `The policy on disk was edited, and the previous one is still in force: ${health.problem}`;
    problems.push({ part: "policy", problem: waits });
  }
  try {
    for (const problem of await parts.hostProblems()) problems.push({ part: "terminals", problem });
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    problems.push({ part: "terminals", problem: `The terminals do not answer: ${why}` });
  }
  return problems;
}
