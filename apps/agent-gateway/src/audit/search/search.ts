import type { AuditEvent } from "@belay/protocol";
import { and, asc, desc, getTableColumns, gt, gte, lt, type SQL, sql } from "drizzle-orm";
import type { SqliteDb } from "../../store/sqlite/open-database.ts";
import { auditEvents, machineTerminals } from "../../store/sqlite/schema/index.ts";
import { toEvent } from "../rows.ts";
import { conditionsOn } from "./conditions.ts";
import type { AuditFilter } from "./filter.ts";
import { findRowRange } from "./row-range.ts";

export interface PageRequest {
  /** The end of the previous page; null for the first. */
  cursor: number | null;
  limit: number;
  order?: "newest" | "oldest";
}

export interface AuditPage {
  events: AuditEvent[];
  /** Where the next page begins; null on the last one. */
  nextCursor: number | null;
}

/** One page of matching rows, newest first by default. New rows do not shift the pages. */
export async function searchRecord(
  db: SqliteDb,
  filter: AuditFilter,
  { cursor, limit, order = "newest" }: PageRequest,
): Promise<AuditPage> {
  const isNewestFirst = order === "newest";
  const range = hasTimes(filter) ? findRowRange(db, filter) : undefined;
  if (range === null) return { events: [], nextCursor: null };
  const words = matchExpression(filter);
  // With a text query, the full-text index drives the search in the requested order and stops when the page is full.
  const seq = words === null ? sql`${auditEvents.seq}` : sql`audit_search.rowid`;
  const beyond = cursor === null ? undefined : (isNewestFirst ? lt : gt)(seq, cursor);
  const within = range && and(gte(seq, range.fromSeq), lt(seq, range.toSeq));
  const matches = words === null ? undefined : sql`audit_search MATCH ${words}`;
  const rows = db.orm.select(getTableColumns(auditEvents)).from(auditEvents).$dynamic();
  if (words !== null) rows.innerJoin(sql`audit_search`, sql`audit_search.rowid = ${auditEvents.seq}`);
  const found = rows
    .where(and(matches, within, ...conditions(filter), beyond))
    .orderBy((isNewestFirst ? desc : asc)(seq))
    .limit(limit + 1)
    .all();
  const events = found.slice(0, limit).map(toEvent);
  return { events, nextCursor: found.length > limit ? (events.at(-1)?.seq ?? null) : null };
}

function hasTimes({ from, to }: AuditFilter): boolean {
  return from !== undefined || to !== undefined;
}

function conditions(filter: AuditFilter): (SQL | undefined)[] {
  return [
    // The plus keeps the index on times out of it: the range of rows is what narrows the search, in the order that is wanted.
    filter.from === undefined ? undefined : sql`+${auditEvents.at} >= ${filter.from}`,
    filter.to === undefined ? undefined : sql`+${auditEvents.at} < ${filter.to}`,
    filter.verdict &&
      and(
        // As the index on verdicts has it: a text that is a parameter is not known to be this one.
        sql`${auditEvents.type} = 'command.judged'`,
        sql`json_extract(${auditEvents.detail}, '$.decision') = ${filter.verdict}`,
      ),
    ...conditionsOn(filter, {
      rows: auditEvents,
      machineTerminals,
      named: sql`json_extract(${auditEvents.detail}, '$.name')`,
      runsProgram,
    }),
  ];
}

/** The record has the programs of a command with wrappers resolved; a program may include its folder. */
function runsProgram(program: string): SQL {
  return sql`EXISTS (SELECT 1 FROM json_each(${auditEvents.detail}, '$.runs') AS run
    WHERE run.value || ' ' LIKE ${`${program} %`} OR run.value || ' ' LIKE ${`%/${program} %`})`;
}

/**
 * The full-text query; null without one.
 *
 * Each word is quoted, so that no character in it is an operator. Ids are in
 * the index too, whether they name the actor or the object of a row.
 */
function matchExpression({ agentId, personId, program, text }: AuditFilter): string | null {
  // A program name without a letter or a digit has no word in the index.
  const indexed = program !== undefined && /[\p{L}\p{N}]/u.test(program) ? program : undefined;
  const ids = [agentId, personId, indexed].filter((id) => id !== undefined).map(quote);
  const words = (text ?? "").split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word));
  const parts = [...ids, ...words.map((word) => `${quote(word)}*`)];
  return parts.length === 0 ? null : parts.join(" AND ");
}

function quote(word: string): string {
  return `"${word.replaceAll('"', '""')}"`;
}
