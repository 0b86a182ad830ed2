import type { SafetyLevel } from "@belay/protocol";

/** The label of a level on the page; the API uses its own word. */
export function levelLabel(level: SafetyLevel): string {
  return level === "unknown" ? "unrecognised" : level;
}
