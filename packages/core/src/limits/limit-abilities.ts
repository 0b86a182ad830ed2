import type { ResourceLimits } from "@belay/protocol";
import { findCgroupPlaces } from "./cgroup-places.ts";

/** How well this machine enforces one of the limits. */
export interface LimitAbility {
  limit: keyof ResourceLimits;
  /** `terminal`: for all programs of a terminal together. `process`: for each process separately. */
  holds: "terminal" | "process" | "sandbox" | "not";
}

/** Which limits are enforced here. Groups of processes need cgroups; without them, limits are per process at most. */
export function limitAbilities(): LimitAbility[] {
  if (process.platform !== "linux") {
    const limits = ["processes", "memoryBytes", "cpus", "openFiles", "fileBytes"] as const;
    return [
      ...limits.map((limit) => ({ limit, holds: "not" as const })),
      { limit: "recordingBytes", holds: "terminal" },
    ];
  }
  const { pids, memory, cpu } = findCgroupPlaces();
  // The kernel counts the processes of a user, and never those of root. A sandbox has its own users.
  const withoutPids = process.getuid?.() === 0 ? "not" : "sandbox";
  return [
    { limit: "processes", holds: pids ? "terminal" : withoutPids },
    { limit: "memoryBytes", holds: memory ? "terminal" : "process" },
    { limit: "cpus", holds: cpu ? "terminal" : "not" },
    { limit: "openFiles", holds: "process" },
    { limit: "fileBytes", holds: "process" },
    { limit: "recordingBytes", holds: "terminal" },
  ];
}
