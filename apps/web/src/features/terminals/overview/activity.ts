import type { TerminalInfo } from "@belay/protocol";
import { visibleText } from "../../approvals/card/visible-text.ts";

export interface ActivityWords {
  text: string;
  /** The command that the words are about. */
  line: string | null;
  /** How long it has been in this state, if that matters. */
  since: number | null;
  tone: "quiet" | "busy" | "attention" | "ended";
}

/** Names and commands come from agents, so none may break the line or be very long. */
const MAX_LINE_LENGTH = 120;

/** What a terminal is doing, in words. `asked`: its command that waits for approval, and since when. */
export function describeActivity(
  terminal: TerminalInfo,
  asked: { text: string; createdAt: number } | null = null,
): ActivityWords {
  const { state, activity } = terminal;
  const words = { line: null, since: null };
  if (state.status === "closed") {
    const code = state.exitCode === null ? "" : ` with code ${state.exitCode}`;
    return { ...words, text: `ended (${state.reason})${code}`, tone: "ended" };
  }
  if (terminal.isAway) return { ...words, text: "its machine is away", tone: "quiet" };
  if (asked !== null)
    return { text: "waiting for approval", line: shorten(asked.text), since: asked.createdAt, tone: "attention" };
  if (state.status !== "running") return { ...words, text: state.status, tone: "quiet" };
  if (activity.kind === "idle") return { ...words, text: "at the prompt", tone: "quiet" };
  const line = activity.line === "" ? null : shorten(activity.line);
  if (activity.wants === "secret") return { ...words, text: "waiting for a password", line, tone: "attention" };
  if (activity.wants === "input") return { ...words, text: "waiting for input", line, tone: "attention" };
  return { text: "running", line, since: activity.since, tone: "busy" };
}

/** On one line, with invisible characters named, including line separators and unusual spaces. */
function shorten(line: string): string {
  return visibleText(line.slice(0, MAX_LINE_LENGTH).replaceAll(/[ \t\r\n]+/g, " "));
}

export function formatAge(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h` : `${Math.floor(hours / 24)} d`;
}

/** A duration, rounded sensibly. */
export function formatDuration(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  return ms < 10_000 ? `${(ms / 1_000).toFixed(1)} s` : formatAge(ms);
}

/** A readable size. */
export function formatBytes(bytes: number): string {
  if (bytes < 1_000) return `${bytes} bytes`;
  if (bytes < 1_000_000) return `${Math.round(bytes / 1_000)} KB`;
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}

/** The exact moment, for the tooltip of an age. */
export function formatMoment(at: number): string {
  return new Date(at).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "medium" });
}
