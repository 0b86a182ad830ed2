import type { ChangeCounts, ChangeRange, Histories, Marked, Moment } from "@belay/core";
import type { SecuritySettings } from "@belay/policy";
import type { CommandId, TerminalId } from "@belay/protocol";
import type { Logger } from "pino";
import type { AuditLog } from "../audit/audit-log.ts";
import { type Act, terminalOf } from "../commands/act.ts";
import type { EventBus } from "../events.ts";
import type { Db } from "../store/database.ts";
import type { AgentRow } from "../store/tables/agents.ts";
import {
  type CommandChangesRow,
  findCommandChanges,
  insertCommandChanges,
  listCommandChanges,
  listOverlapping,
  type OverlapRange,
  saveCommandChanges,
} from "../store/tables/changes/command-changes.ts";
import type { FollowedWorkspaces } from "./followed-workspaces.ts";
import { type ChangeSummary, describeCounts, describeSummary, isNothing } from "./words.ts";

/** How long a command waits for the snapshot before it. The first scan of a large workspace takes longer. */
const BEGIN_LIMIT_MS = 4_000;
/** How long a reply waits for the counts. They are recorded anyway. */
const REPLY_LIMIT_MS = 1_000;
const PRUNE_EVERY_MS = 6 * 3_600_000;
const DAY_MS = 24 * 3_600_000;
/** How many names the record lists; the history has all of them. */
const NAMED_IN_RECORD = 20;
const MOST_OTHERS = 20;

/** The snapshot before a command, which is recorded with its start. */
export type ChangeMark = (Moment & { workspace: string }) | { workspace: string; problem: string };

interface Running {
  mark: ChangeMark;
  terminalId: TerminalId | null;
}

interface Deps {
  db: Db;
  audit: AuditLog;
  events: EventBus;
  histories: Histories;
  followed: FollowedWorkspaces;
  limits: () => Pick<SecuritySettings["undo"], "keepDays" | "maxBytes">;
  now: () => number;
  log: Logger;
}

/**
 * What each command changed in its workspace.
 *
 * A snapshot is taken before a command that may write, which only checks what the kernel reported as changed.
 * Another is taken when it ends, concurrently with the reply. The difference belongs to the command, and to any
 * other that ran at the same time.
 */
export class Changes {
  readonly #deps: Deps;
  readonly #running = new Map<CommandId, Running>();
  readonly #ending = new Map<CommandId, Promise<void>>();
  /** A command's changes before the final check of all files; good enough for a reply. */
  readonly #early = new Map<CommandId, Promise<ChangeSummary | null>>();
  readonly #followedNow = new Set<string>();
  readonly #withoutHistory = new Map<string, string>();
  #pruning: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Scans a workspace for the first time, which may take a while, before a command needs it. */
  start(workspace: string): void {
    this.#pruning = setInterval(() => void this.prune(), PRUNE_EVERY_MS).unref();
    if (this.#deps.followed.whyNot(workspace) !== null) return;
    this.#mark(workspace)
      .then(() => this.prune())
      .catch(() => {}); // noted as the reason why it has no history
  }

  /** Takes the snapshot before a command. Null if its workspace has no history. */
  async begin(commandId: CommandId, agent: AgentRow, act: Act): Promise<ChangeMark | null> {
    const { followed } = this.#deps;
    const workspace = followed.of(agent);
    if (followed.whyNot(workspace) !== null) return null;
    const mark = await this.#markSoon(workspace);
    this.#running.set(commandId, { mark, terminalId: terminalOf(act) });
    return mark;
  }

  /** The current moment of an agent's workspace; null if it has no history, or none yet. */
  async look(agent: AgentRow): Promise<Moment | null> {
    const { followed } = this.#deps;
    const workspace = followed.of(agent);
    if (followed.whyNot(workspace) !== null) return null;
    const mark = await this.#markSoon(workspace);
    return "seq" in mark ? { epoch: mark.epoch, seq: mark.seq } : null;
  }

  /** Whether the files of an agent's workspace are kept: the last snapshot of it worked. */
  isKept(agent: Pick<AgentRow, "workspace">): boolean {
    const { followed } = this.#deps;
    const workspace = followed.of(agent);
    const isSeen = this.#followedNow.has(workspace) && !this.#withoutHistory.has(workspace);
    return isSeen && followed.whyNot(workspace) === null;
  }

  /** Resumes a command of an earlier gateway. */
  resume(commandId: CommandId, mark: ChangeMark, terminalId: TerminalId | null): void {
    this.#running.set(commandId, { mark, terminalId });
  }

  /** A command has ended: determines its changes in the background. Idempotent. */
  ended(commandId: CommandId): void {
    const running = this.#running.get(commandId);
    if (!running) return;
    this.#running.delete(commandId);
    const early = this.#summariseEarly(commandId, running.mark).catch(() => null); // the end reports the error
    const done = early
      .then((found) => this.#end(commandId, running, found?.end ?? null))
      .catch((error: unknown) =>
        this.#deps.log.error({ err: error, commandId }, "the changes of a command could not be determined"),
      )
      .finally(() => {
        this.#early.delete(commandId);
        this.#ending.delete(commandId);
      });
    this.#early.set(
      commandId,
      early.then((found) => found?.summary ?? null),
    );
    this.#ending.set(commandId, done);
  }

  /** The command of a spawned terminal ends with it. */
  terminalClosed(terminalId: TerminalId): void {
    for (const [commandId, running] of this.#running) if (running.terminalId === terminalId) this.ended(commandId);
  }

  /** A finished command's changes, for the reply to its agent; null if there are none, or they are unknown. */
  async summary(commandId: CommandId): Promise<ChangeSummary | "not-yet" | null> {
    const early = this.#early.get(commandId);
    if (early !== undefined) {
      const found = await withTimeout(
        early.then((summary) => ({ summary })),
        REPLY_LIMIT_MS,
      );
      return found ? found.summary : "not-yet";
    }
    const row = await findCommandChanges(this.#deps.db, commandId);
    return row ? this.#summaryOf(row) : null;
  }

  /** The same in words for several commands, without waiting. */
  async describe(ids: readonly CommandId[]): Promise<Map<CommandId, string>> {
    const found = new Map<CommandId, string>();
    for (const row of await listCommandChanges(this.#deps.db, ids)) {
      const summary = await this.#summaryOf(row);
      if (summary) found.set(row.commandId, describeSummary(summary));
    }
    return found;
  }

  /** Resolves once the changes of a finished command are determined, or never will be. */
  async settled(commandId: CommandId): Promise<void> {
    await this.#ending.get(commandId);
  }

  /** Resolves once the changes of all finished commands are determined. */
  async settle(): Promise<void> {
    await Promise.all(this.#ending.values());
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#pruning);
    await this.settle();
  }

  async #summaryOf(row: OverlapRange & { counts: ChangeCounts | null }): Promise<ChangeSummary | null> {
    if (!row.counts || isNothing(row.counts)) return null;
    const others = await listOverlapping(this.#deps.db, row, MOST_OTHERS);
    const running = [...this.#running.values()].filter(
      ({ mark }) => "seq" in mark && mark.epoch === row.epoch && mark.seq < row.toSeq,
    );
    return { counts: row.counts, sharedWith: others.length + running.length };
  }

  async #summariseEarly(
    commandId: CommandId,
    mark: ChangeMark,
  ): Promise<{ end: Moment; summary: ChangeSummary | null } | null> {
    if ("problem" in mark) return null;
    const { histories, followed } = this.#deps;
    const { workspace, epoch } = mark;
    const marked = await histories.markAndList(workspace, mark, followed.options(workspace));
    this.#note(workspace, marked);
    const counts = marked.list?.counts ?? null;
    const summary = await this.#summaryOf({ commandId, epoch, fromSeq: mark.seq, toSeq: marked.seq, counts });
    return { end: { epoch: marked.epoch, seq: marked.seq }, summary };
  }

  async #end(commandId: CommandId, { mark, terminalId }: Running, early: Moment | null): Promise<void> {
    const { histories, followed, now } = this.#deps;
    const { workspace } = mark;
    const unknown = (problem: string) => {
      const range = { epoch: "", fromSeq: 0, toSeq: 0 };
      return this.#record({ commandId, workspace, ...range, counts: null, problem }, [], terminalId, now());
    };
    if ("problem" in mark) return unknown(mark.problem);
    try {
      // What changed after the snapshot at its end is not this command's, unless the kernel did not report it in time.
      const end = early ?? (await this.#mark(workspace));
      const { epoch, seq } = (await histories.markMissed(workspace, followed.options(workspace))) ?? end;
      if (epoch !== mark.epoch) return await unknown("The history was restarted while it ran.");
      const range: ChangeRange = { workspace, epoch, fromSeq: mark.seq, toSeq: seq };
      const list = await histories.list(range, followed.options(workspace));
      if (!list) return await unknown("The history no longer reaches back to when it began.");
      const paths = list.paths.map(({ path }) => path);
      await this.#record({ commandId, ...range, counts: list.counts, problem: null }, paths, terminalId, now());
    } catch (error) {
      await unknown(`Its changes could not be determined: ${(error as Error).message}`);
    }
  }

  async #record(
    row: Omit<CommandChangesRow, "endedAt" | "undoes" | "by">,
    paths: string[],
    terminalId: TerminalId | null,
    endedAt: number,
  ): Promise<void> {
    const { db, audit, events } = this.#deps;
    const { commandId, counts, problem } = row;
    const changes = { ...row, endedAt, undoes: null, by: null };
    // Nothing changed: the table says so, and the record needs no row.
    if (counts && isNothing(counts)) await saveCommandChanges(db, changes);
    else {
      const about = { actor: { type: "system" }, commandId, ...(terminalId ? { terminalId } : {}) } as const;
      const detail = counts ? detailOf(counts, paths) : { problem };
      await audit.append({ ...about, type: "command.changed", detail }, (tx) => [insertCommandChanges(tx, changes)]);
    }
    events.publish({ type: "changes", commandId });
  }

  async #markSoon(workspace: string): Promise<ChangeMark> {
    const marked = this.#mark(workspace).catch((error: Error) => error);
    const moment = await withTimeout(marked, BEGIN_LIMIT_MS);
    if (moment === null) {
      return { workspace, problem: "The first scan of the workspace had not finished when it began." };
    }
    return moment instanceof Error ? { workspace, problem: moment.message } : { workspace, ...moment };
  }

  async #mark(workspace: string): Promise<Moment> {
    const { histories, followed } = this.#deps;
    const marked = await histories.mark(workspace, followed.options(workspace)).catch((error: Error) => {
      this.#noteFailure(workspace, error);
      throw error;
    });
    this.#withoutHistory.delete(workspace);
    this.#note(workspace, marked);
    return { epoch: marked.epoch, seq: marked.seq };
  }

  /** Workspaces whose changes are not kept although they should be, with the reason. */
  notices(): string[] {
    return [...this.#withoutHistory].map(
      ([workspace, reason]) => `Changes in ${workspace} cannot be undone: ${reason}`,
    );
  }

  #noteFailure(workspace: string, error: Error): void {
    // Stopping ends a first look that has not finished; the next start takes it again.
    if (this.#isClosed || this.#withoutHistory.get(workspace) === error.message) return;
    this.#withoutHistory.set(workspace, error.message);
    this.#deps.log.warn({ err: error, workspace }, "the workspace has no history");
  }

  #note(workspace: string, { resumed }: Marked): void {
    this.#followedNow.add(workspace);
    if (resumed) this.#deps.log.warn({ workspace, undo: resumed.id }, "an interrupted undo was completed");
  }

  /** Deletes all earlier states of a workspace: changes made before now can no longer be undone. */
  async forgetHistory(workspace: string): Promise<void> {
    const { histories, followed, limits, now } = this.#deps;
    await this.#mark(workspace);
    const { maxBytes } = limits();
    await histories.prune(workspace, { beforeMs: now() + 1, maxBytes }, followed.options(workspace));
  }

  /** Deletes history that exceeds the policy's age or size limit. */
  async prune(): Promise<void> {
    const { histories, followed, limits, now, log } = this.#deps;
    const { keepDays, maxBytes } = limits();
    for (const workspace of this.#followedNow) {
      await histories
        .prune(workspace, { beforeMs: now() - keepDays * DAY_MS, maxBytes }, followed.options(workspace))
        .catch((error: unknown) => log.warn({ err: error, workspace }, "an old history could not be removed"));
    }
  }
}

function detailOf(counts: ChangeCounts, paths: string[]) {
  return {
    words: describeCounts(counts),
    ...counts,
    paths: paths.slice(0, NAMED_IN_RECORD),
    more: Math.max(0, paths.length - NAMED_IN_RECORD),
  };
}

function withTimeout<Value>(done: Promise<Value>, ms: number): Promise<Value | null> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms, null);
    done.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
