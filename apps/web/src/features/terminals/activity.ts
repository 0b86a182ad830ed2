import type { TerminalInfo } from "@belay/protocol";

export interface ActivityWords {
  text: string;
  tone: "quiet" | "busy" | "attention" | "ended";
}

/** What a terminal is doing, in words. */
export function describeActivity(terminal: TerminalInfo, now: number): ActivityWords {
  const { state, activity } = terminal;
  if (state.status === "closed") {
    const code = state.exitCode === null ? "" : ` with code ${state.exitCode}`;
    return { text: `ended (${state.reason})${code}`, tone: "ended" };
  }
  if (state.status !== "running") return { text: state.status, tone: "quiet" };
  if (activity.kind === "idle") return { text: "at the prompt", tone: "quiet" };
  if (activity.wants === "secret") return { text: "waiting for a password", tone: "attention" };
  if (activity.wants === "input") return { text: `${activity.line} is waiting for input`, tone: "attention" };
  return { text: `running ${activity.line} for ${formatAge(now - activity.since)}`, tone: "busy" };
}

export function formatAge(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h` : `${Math.floor(hours / 24)} d`;
}
