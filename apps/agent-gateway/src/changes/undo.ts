import type { ChangeRange, Histories, UndoPlan, UndoResult } from "@belay/core";
import type { Actor, CommandId } from "@belay/protocol";
import type { AuditLog } from "../audit/audit-log.ts";
import { GatewayError } from "../errors.ts";
import type { EventBus } from "../events.ts";
import { insertCommandChanges, type Undone } from "../store/tables/changes/command-changes.ts";
import { type ChangeViews, rangeOf } from "./change-views.ts";
import type { FollowedWorkspaces } from "./followed-workspaces.ts";
import { describeCounts } from "./words.ts";

/** Options of an undo. */
export interface UndoChoice {
  /** Only these paths. */
  paths?: string[] | undefined;
  /** Conflicts to overwrite. */
  overwrite?: string[] | undefined;
  skipsConflicts?: boolean | undefined;
  /** The plan that was shown to the person. */
  fingerprint?: string | undefined;
}

interface Deps {
  audit: AuditLog;
  events: EventBus;
  histories: Histories;
  followed: FollowedWorkspaces;
  views: ChangeViews;
  now: () => number;
}

/** Undoes what commands changed. An undo is recorded with its own command id, so it can be undone, too. */
export class Undo {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** What to undo, between which snapshots. */
  async rangeFor(what: Undone, workspace: string): Promise<ChangeRange> {
    const { views, histories, followed } = this.#deps;
    if (what.type === "command") {
      const row = await views.row(what.commandId);
      const range = rangeOf(row);
      if (range) return range;
      throw new GatewayError("no-changes-known", row.problem ?? "What it changed is unknown.");
    }
    const off = followed.whyNot(workspace);
    if (off !== null) throw new GatewayError("no-changes-known", off);
    const range = await histories.since(workspace, what.atMs, followed.options(workspace));
    if (range) return range;
    const message = `The history does not reach back to ${new Date(what.atMs).toISOString()}.`;
    throw new GatewayError("no-changes-known", message);
  }

  async plan(range: ChangeRange, paths: string[] | null): Promise<UndoPlan> {
    const { histories, followed } = this.#deps;
    const plan = await histories.plan(range, paths, followed.options(range.workspace));
    if (plan) return plan;
    throw new GatewayError(
      "no-changes-known",
      "It is older than the history that is kept (undo.keepDays, undo.maxBytes).",
    );
  }

  /** Undoes it, and records the result under `commandId`. If it cannot be done as requested, nothing is changed. */
  async perform(
    { commandId, undoes, range, by }: { commandId: CommandId; undoes: Undone; range: ChangeRange; by: Actor },
    { paths, overwrite, skipsConflicts, fingerprint }: UndoChoice,
  ): Promise<UndoResult> {
    const { histories, followed, audit, events, now } = this.#deps;
    const options = followed.options(range.workspace);
    const result = await histories.undo(
      range,
      {
        id: commandId,
        ...(paths ? { paths } : {}),
        ...(overwrite ? { overwrite } : {}),
        ...(skipsConflicts ? { skipsConflicts } : {}),
        ...(fingerprint === undefined ? {} : { fingerprint }),
      },
      options,
    );
    if (result.status !== "undone") return result;
    const list = await histories.list(result.range, options);
    const row = { commandId, ...result.range, endedAt: now(), counts: list?.counts ?? null, problem: null, undoes, by };
    const { undone, skipped, keptFolders } = result;
    await audit.append(
      {
        type: "changes.undone",
        actor: by,
        commandId,
        detail: {
          words: list ? describeCounts(list.counts) : "",
          undoes,
          undone,
          skipped,
          keptFolders,
          ...list?.counts,
        },
      },
      (db) => [insertCommandChanges(db, row)],
    );
    events.publish({ type: "changes", commandId: undoes.type === "command" ? undoes.commandId : commandId });
    return result;
  }
}
