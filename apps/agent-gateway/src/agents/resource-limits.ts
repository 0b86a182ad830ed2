import { totalmem } from "node:os";
import type { SecuritySettings } from "@belay/policy";
import type { ResourceLimits } from "@belay/protocol";

/** Of the machine's memory, where the policy does not say how much one terminal may have. */
const DEFAULT_SHARE = 0.75;

/** What the programs of an agent's terminal may use of the machine. */
export function resourceLimitsOf({ limits }: SecuritySettings): ResourceLimits {
  const { memoryBytes = Math.floor(totalmem() * DEFAULT_SHARE), ...rest } = limits.terminal;
  return { ...rest, memoryBytes };
}
