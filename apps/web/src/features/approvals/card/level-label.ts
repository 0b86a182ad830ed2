import type { SafetyLevel } from "@belay/protocol";

/** What a level is called on the page; the API keeps its own word. */
export function levelLabel(level: SafetyLevel): string {
  return level === "unknown" ? "unrecognised" : level;
}
