import type { SafetyLevel } from "@belay/protocol";
import { judge } from "./judge.ts";
import { defaultPolicy, type Policy } from "./settings/policy.ts";

/** How safe a shell string is (C2), independent of any profile. */
export function safetyLevel(text: string, policy: Policy = defaultPolicy): SafetyLevel {
  return judge(text, {}, policy).level;
}
