import type { TerminalPool } from "@belay/core";
import type {
  CommandId,
  CommandReport,
  Decision,
  ReachedLimit,
  RuleMatch,
  SafetyLevel,
  TerminalId,
  Verdict,
} from "@belay/protocol";
import type { Db } from "../store/database.ts";
import { type CommandStep, listCommandsOf, listStepsOf } from "../store/tables/command-timeline.ts";
import { type CommandRow, findCommand } from "../store/tables/commands.ts";
import type { CommandOutcome } from "./outcome.ts";

/** One command in a terminal's timeline. */
export interface TimelineEntry {
  id: CommandId;
  /** The text that ran or would have run, with any edits by a person. */
  line: string;
  isEdited: boolean;
  openedAt: number;
  status: "waiting" | "running" | "ran" | Exclude<CommandOutcome["status"], "ran">;
  verdict: { decision: Decision; level: SafetyLevel; reasons: Pick<RuleMatch, "rule" | "reason">[] } | null;
  /** Whether a person was asked and approved. */
  isApproved: boolean;
  /** Whether the effect that a preview had shown was applied, in place of a run. */
  isApplied: boolean;
  /** Why it was refused: a person said no, or the question expired or was withdrawn. */
  refusal: "denied" | "expired" | "withdrawn" | null;
  /** Whether the client that asked had gone before it was told no. */
  isUndelivered: boolean;
  exitCode: number | null;
  /** The limit of its terminal that it reached. */
  limit: ReachedLimit | null;
  durationMs: number | null;
  /** The start and end of its output; null if it has none yet. */
  startPosition: number | null;
  endPosition: number | null;
  /** Its changes in the workspace, in words; null if there are none, or they are unknown. */
  changes: string | null;
}

/** A terminal's commands, newest first; the caller adds what each changed. */
export async function readTimeline(
  db: Db,
  terminals: TerminalPool,
  terminalId: TerminalId,
  limit: number,
): Promise<TimelineEntry[]> {
  return readEntries(db, terminals, await listCommandsOf(db, terminalId, limit));
}

/** These commands, in this order. */
export async function readEntries(db: Db, terminals: TerminalPool, rows: CommandRow[]): Promise<TimelineEntry[]> {
  const steps = new Map<string, CommandStep[]>();
  for (const step of await listStepsOf(
    db,
    rows.map(({ id }) => id),
  ))
    steps.set(step.commandId, [...(steps.get(step.commandId) ?? []), step]);
  return Promise.all(rows.map((row) => entryOf(row, steps.get(row.id) ?? [], terminals)));
}

/** One command, in any terminal. */
export async function readTimelineEntry(
  db: Db,
  terminals: TerminalPool,
  id: CommandId,
): Promise<(TimelineEntry & Pick<CommandRow, "terminalId">) | null> {
  const row = await findCommand(db, id);
  return row ? { ...(await entryOf(row, await listStepsOf(db, [id]), terminals)), terminalId: row.terminalId } : null;
}

async function entryOf(row: CommandRow, steps: CommandStep[], terminals: TerminalPool): Promise<TimelineEntry> {
  const outcome = row.outcome === null ? null : (JSON.parse(row.outcome) as CommandOutcome);
  const judged = lastOf(steps, "command.judged") as Verdict | null;
  const answered = lastOf(steps, "command.answered") as { decision: string } | null;
  const started = lastOf(steps, "command.started") as { line: string } | null;
  const reported = lastOf(steps, "command.reported") as { exitCode: number | null } | null;
  const report = outcome?.status === "ran" ? outcome.report : started && !outcome ? await lookAt(row, terminals) : null;
  const done = outcome?.status === "done" ? outcome : null;
  const line = started?.line ?? row.line;
  return {
    id: row.id,
    line,
    isEdited: line !== row.line,
    openedAt: row.openedAt,
    status: outcome?.status ?? (started ? "running" : "waiting"),
    verdict: judged && {
      decision: judged.decision,
      level: judged.level,
      reasons: judged.matches.map(({ rule, reason }) => ({ rule, reason })),
    },
    isApproved: answered?.decision === "approve",
    refusal: outcome?.status === "refused" ? outcome.answer.reason : null,
    isUndelivered: outcome?.isUndelivered === true,
    isApplied: done?.isApplied === true,
    exitCode: report?.exitCode ?? done?.result.exitCode ?? reported?.exitCode ?? null,
    limit: report?.limit ?? done?.result.limit ?? null,
    durationMs: outcome?.status === "ran" ? outcome.report.durationMs : (done?.result.durationMs ?? null),
    startPosition: report?.startPosition ?? null,
    endPosition: report?.endPosition ?? null,
    changes: null,
  };
}

function lastOf(steps: CommandStep[], type: string): unknown {
  const step = steps.findLast((candidate) => candidate.type === type);
  return step ? JSON.parse(step.detail) : null;
}

/** The state of a running command; null if its terminal no longer exists. */
async function lookAt(row: CommandRow, terminals: TerminalPool): Promise<CommandReport | null> {
  const now = { type: "idle", idleMs: null, timeoutMs: 0 } as const;
  return row.terminalId === null ? null : terminals.waitFor(row.terminalId, row.id, now).catch(() => null);
}
