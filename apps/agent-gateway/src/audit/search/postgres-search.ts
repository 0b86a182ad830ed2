import { and, asc, desc, eq, gte, ilike, like, lt, type SQL, sql } from "drizzle-orm";
import type { PostgresDb } from "../../store/postgres/open-database.ts";
import { auditEvents, machineTerminals } from "../../store/postgres/schema/index.ts";
import { rowsOf } from "../../store/queries.ts";
import { toEvent } from "../rows.ts";
import { conditionsOn } from "./conditions.ts";
import type { AuditFilter } from "./filter.ts";
import type { AuditPage, PageRequest } from "./search.ts";
import { wordsOf } from "./words.ts";

/** One page of matching rows, newest first by default, in PostgreSQL. */
export async function searchPostgres(
  db: PostgresDb,
  filter: AuditFilter,
  { cursor, limit, order = "newest" }: PageRequest,
): Promise<AuditPage> {
  const isNewestFirst = order === "newest";
  const beyond = cursor === null ? undefined : beyondRow(cursor, isNewestFirst);
  const { orm, auditEvents: rows, recordOrder } = db;
  const page = orm
    .select()
    .from(rows)
    .where(and(...conditions(filter), ...wordConditions(filter), beyond))
    .orderBy(...recordOrder.map((column) => (isNewestFirst ? desc : asc)(column)))
    .limit(limit + 1);
  const found = await rowsOf(page);
  const events = found.slice(0, limit).map(toEvent);
  return { events, nextCursor: found.length > limit ? (events.at(-1)?.seq ?? null) : null };
}

/** Rows of all gateways are in the order of time, and the cursor is the number of a row. One that is not there is before all others. */
function beyondRow(cursor: number, isNewestFirst: boolean): SQL {
  const { sortAt, seq } = auditEvents;
  const at = sql`coalesce((SELECT before.sort_at FROM audit_events AS before WHERE before.seq = ${cursor}), 0)`;
  return isNewestFirst ? sql`(${sortAt}, ${seq}) < (${at}, ${cursor})` : sql`(${sortAt}, ${seq}) > (${at}, ${cursor})`;
}

function conditions(filter: AuditFilter): (SQL | undefined)[] {
  return [
    filter.from === undefined ? undefined : gte(auditEvents.at, filter.from),
    filter.to === undefined ? undefined : lt(auditEvents.at, filter.to),
    filter.verdict && and(eq(auditEvents.type, "command.judged"), eq(auditEvents.decision, filter.verdict)),
    ...conditionsOn(filter, {
      rows: auditEvents,
      machineTerminals,
      named: sql`(${auditEvents.detail}::json ->> 'name')`,
      runsProgram,
    }),
  ];
}

/** The record has the programs of a command with wrappers resolved; a program may include its folder. */
function runsProgram(program: string): SQL {
  // A backslash would escape the next character of the pattern.
  const name = program.replaceAll("\\", "\\\\");
  const run = sql`run || ' '`;
  return sql`EXISTS (SELECT 1 FROM unnest(${auditEvents.runs}) AS run WHERE ${ilike(run, `${name} %`)} OR ${ilike(run, `%/${name} %`)})`;
}

/** Each word of the text may be a prefix; ids and programs are whole words. */
function wordConditions({ agentId, personId, program, text }: AuditFilter): SQL[] {
  const whole = [agentId, personId, program].filter((word) => word !== undefined).map(wordsOf);
  const begun = (text ?? "").split(/\s+/).map((word) => wordsOf(word).trimEnd());
  return [...whole, ...begun]
    .filter((words) => words.trim() !== "")
    .map((words) => like(auditEvents.words, `%${words}%`));
}
