import type { ChangeList, ChangeRange, Histories, Hunk } from "@belay/core";
import type { Actor, CommandId } from "@belay/protocol";
import { GatewayError } from "../errors.ts";
import type { Db } from "../store/database.ts";
import {
  type CommandChangesRow,
  findCommandChanges,
  listOverlapping,
  listRecentChanges,
  listUndosOf,
  type Undone,
} from "../store/tables/changes/command-changes.ts";
import { findCommand } from "../store/tables/commands.ts";
import type { Changes } from "./changes.ts";
import type { FollowedWorkspaces } from "./followed-workspaces.ts";
import { describeCounts } from "./words.ts";

/** What a command changed, for people and for its agent. */
export interface ChangesView {
  commandId: CommandId;
  workspace: string;
  /** `changed 3 files, +12 −4`; empty if nothing changed. */
  summary: string;
  list: ChangeList | null;
  /** Why it is unknown. */
  problem: string | null;
  /** Other commands that ran at the same time and may have made the changes. */
  sharedWith: { commandId: CommandId; line: string | null }[];
  undoes: Undone | null;
  by: Actor | null;
  /** Undos of this command, newest first. */
  undoneBy: { commandId: CommandId; at: number }[];
}

/** The largest picture that is shown. */
const MAX_PICTURE_BYTES = 4_000_000;
const PICTURES: Readonly<Record<string, string>> = {
  png: "image/png",
  jpg: "image/jpeg",
  jpeg: "image/jpeg",
  gif: "image/gif",
  webp: "image/webp",
  avif: "image/avif",
};
const MOST_OTHERS = 20;

interface Deps {
  db: Db;
  changes: Changes;
  histories: Histories;
  followed: FollowedWorkspaces;
}

/** Reads what commands changed. */
export class ChangeViews {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  async of(commandId: CommandId): Promise<ChangesView> {
    const { db, histories, followed } = this.#deps;
    const row = await this.row(commandId);
    const range = rangeOf(row);
    const list = range && (await histories.list(range, followed.options(row.workspace)));
    const others = range ? await listOverlapping(db, row, MOST_OTHERS) : [];
    const undos = await listUndosOf(db, commandId);
    return {
      commandId,
      workspace: row.workspace,
      summary: row.counts ? describeCounts(row.counts) : "",
      list,
      problem:
        row.problem ?? (list ? null : "It is older than the history that is kept (undo.keepDays, undo.maxBytes)."),
      sharedWith: await Promise.all(
        others.map(async (other) => ({
          commandId: other.commandId,
          line: (await findCommand(db, other.commandId))?.line ?? null,
        })),
      ),
      undoes: row.undoes,
      by: row.by,
      undoneBy: undos.map(({ commandId: id, endedAt }) => ({ commandId: id, at: endedAt })),
    };
  }

  /** The last commands that changed anything, newest first. */
  async recent(limit: number) {
    const { db } = this.#deps;
    return Promise.all(
      (await listRecentChanges(db, limit)).map(async ({ commandId, endedAt, counts, undoes }) => ({
        commandId,
        line: (await findCommand(db, commandId))?.line ?? null,
        at: endedAt,
        summary: counts ? describeCounts(counts) : "",
        undoes,
      })),
    );
  }

  /** The changed lines of one file; null if it is not text. */
  async diff(commandId: CommandId, path: string): Promise<Hunk[] | null> {
    const row = await this.row(commandId);
    const range = rangeOf(row);
    return range && this.#deps.histories.diff(range, path, this.#deps.followed.options(row.workspace));
  }

  /** A picture before or after; null if it is none, or too large. */
  async picture(commandId: CommandId, path: string, side: "before" | "after") {
    const type = PICTURES[path.slice(path.lastIndexOf(".") + 1).toLowerCase()];
    const row = await this.row(commandId);
    const range = rangeOf(row);
    if (!type || !range) return null;
    const { histories, followed } = this.#deps;
    const bytes = await histories.content(range, path, side, followed.options(row.workspace));
    if (!bytes || bytes.byteLength > MAX_PICTURE_BYTES) return null;
    return { type, base64: Buffer.from(bytes).toString("base64") };
  }

  async row(commandId: CommandId): Promise<CommandChangesRow> {
    const { db, changes, followed } = this.#deps;
    await changes.settled(commandId);
    const row = await findCommandChanges(db, commandId);
    if (row) return row;
    const command = await findCommand(db, commandId);
    if (!command) throw new GatewayError("command-not-found", `No command "${commandId}".`);
    const off = followed.whyNot(followed.of({ workspace: null }));
    const why = off ?? "It was read-only, is still running, or ran before there was a history.";
    throw new GatewayError("no-changes-known", `It is unknown what "${commandId}" changed. ${why}`);
  }
}

export function rangeOf({ workspace, epoch, fromSeq, toSeq, problem }: CommandChangesRow): ChangeRange | null {
  return problem === null ? { workspace, epoch, fromSeq, toSeq } : null;
}
