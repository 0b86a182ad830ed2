import type { PolicyStore } from "../policy/policy-store.ts";
import type { Cluster } from "./cluster.ts";

/** Why this gateway starts no command now, because it may have missed what the others decided; null if it does. */
export async function whyNotNow(cluster: Cluster, policy: PolicyStore): Promise<string | null> {
  if (!cluster.isShared) return null;
  const problem = cluster.problem();
  // The bus announces new versions at once; this also covers a signal that was lost.
  if (problem === null && (await policy.isBehind())) await policy.refresh();
  return problem;
}
