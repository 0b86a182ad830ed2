import { totalmem } from "node:os";
import type { SecuritySettings } from "@belay/policy";
import type { ResourceLimits } from "@belay/protocol";

/** The share of the machine's memory for one terminal, if the policy sets no limit. */
const DEFAULT_SHARE = 0.75;

/** The resource limits of an agent's terminal. */
export function resourceLimitsOf({ limits }: SecuritySettings): ResourceLimits {
  const { memoryBytes = Math.floor(totalmem() * DEFAULT_SHARE), ...rest } = limits.terminal;
  return { ...rest, memoryBytes };
}
