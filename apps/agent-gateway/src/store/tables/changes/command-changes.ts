import type { ChangeCounts } from "@belay/core";
import type { Actor, CommandId } from "@belay/protocol";
import { and, desc, eq, gt, inArray, isNotNull, lt, ne, sql } from "drizzle-orm";
import type { Db } from "../../database.ts";
import { prepareRows } from "../../prepare-once.ts";
import { commit, type Queries, queriesOf, rowsOf, type Write, write } from "../../queries.ts";

/** What an undo undid: one command, or everything since a moment. */
export type Undone = { type: "command"; commandId: CommandId } | { type: "since"; atMs: number };

export interface CommandChangesRow {
  commandId: CommandId;
  workspace: string;
  epoch: string;
  fromSeq: number;
  toSeq: number;
  endedAt: number;
  counts: ChangeCounts | null;
  problem: string | null;
  undoes: Undone | null;
  by: Actor | null;
}

type Stored = Queries["commandChanges"]["$inferSelect"];

/** Committed with its row of the record, if it has one. */
export function insertCommandChanges(db: Db, row: CommandChangesRow): Write {
  const stored = {
    ...row,
    counts: row.counts && JSON.stringify(row.counts),
    undoes: row.undoes && JSON.stringify(row.undoes),
    by: row.by && JSON.stringify(row.by),
  };
  const { orm, commandChanges } = queriesOf(db);
  return write(orm.insert(commandChanges).values(stored).onConflictDoNothing());
}

/** For changes that need no row in the record. */
export async function saveCommandChanges(db: Db, row: CommandChangesRow): Promise<void> {
  await commit(insertCommandChanges(db, row));
}

export async function listCommandChanges(db: Db, ids: readonly CommandId[]): Promise<CommandChangesRow[]> {
  if (ids.length === 0) return [];
  const { orm, commandChanges } = queriesOf(db);
  const found = orm
    .select()
    .from(commandChanges)
    .where(inArray(commandChanges.commandId, [...ids]));
  return (await rowsOf(found)).map(toRow);
}

const byId = prepareRows(({ orm, commandChanges }) =>
  orm
    .select()
    .from(commandChanges)
    .where(eq(commandChanges.commandId, sql.placeholder("id"))),
);

export async function findCommandChanges(db: Db, id: CommandId): Promise<CommandChangesRow | undefined> {
  const stored = await byId.row(db, { id });
  return stored && toRow(stored);
}

export type OverlapRange = Pick<CommandChangesRow, "commandId" | "epoch" | "fromSeq" | "toSeq">;

/** Other commands that overlapped in time. */
export async function listOverlapping(db: Db, row: OverlapRange, limit: number): Promise<CommandChangesRow[]> {
  const { orm, commandChanges } = queriesOf(db);
  const overlaps = and(
    eq(commandChanges.epoch, row.epoch),
    lt(commandChanges.fromSeq, row.toSeq),
    gt(commandChanges.toSeq, row.fromSeq),
    ne(commandChanges.commandId, row.commandId),
  );
  return (await rowsOf(orm.select().from(commandChanges).where(overlaps).limit(limit))).map(toRow);
}

/** Those with changes, newest first. */
export async function listRecentChanges(db: Db, limit: number): Promise<CommandChangesRow[]> {
  const { orm, commandChanges } = queriesOf(db);
  const newest = orm
    .select()
    .from(commandChanges)
    .where(and(isNotNull(commandChanges.counts), lt(commandChanges.fromSeq, commandChanges.toSeq)))
    .orderBy(desc(commandChanges.endedAt))
    .limit(limit);
  return (await rowsOf(newest)).map(toRow);
}

/** Undos, newest first. */
export async function listUndosOf(db: Db, id: CommandId): Promise<CommandChangesRow[]> {
  const undoes = JSON.stringify({ type: "command", commandId: id } satisfies Undone);
  const { orm, commandChanges } = queriesOf(db);
  const newest = orm
    .select()
    .from(commandChanges)
    .where(eq(commandChanges.undoes, undoes))
    .orderBy(desc(commandChanges.endedAt));
  return (await rowsOf(newest)).map(toRow);
}

function toRow(stored: Stored): CommandChangesRow {
  return {
    ...stored,
    commandId: stored.commandId as CommandId,
    counts: stored.counts === null ? null : (JSON.parse(stored.counts) as ChangeCounts),
    undoes: stored.undoes === null ? null : (JSON.parse(stored.undoes) as Undone),
    by: stored.by === null ? null : (JSON.parse(stored.by) as Actor),
  };
}
