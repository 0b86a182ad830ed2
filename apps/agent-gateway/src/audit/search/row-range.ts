import { oncePerDatabase } from "../../store/prepare-once.ts";
import type { SqliteDb } from "../../store/sqlite/open-database.ts";
import { CLOCK_TOLERANCE_MS, readClockJumps } from "./clock-jumps.ts";

/** Rows with these numbers; `toSeq` is not one of them. */
export interface RowRange {
  fromSeq: number;
  toSeq: number;
}

const atOf = oncePerDatabase(({ $client }: SqliteDb) =>
  $client.prepare("SELECT seq, at FROM audit_events WHERE seq >= ? ORDER BY seq LIMIT 1"),
);
// Each by itself is one step in the index; both in one query would read every row.
const ends = oncePerDatabase(({ $client }: SqliteDb) =>
  $client.prepare("SELECT (SELECT min(seq) FROM audit_events) AS first, (SELECT max(seq) FROM audit_events) AS last"),
);

/**
 * A range of rows that holds every row between two moments, and hardly any other: times go up with the rows, but for
 * where the clock was set back. Null if there is none.
 */
export function findRowRange(
  db: SqliteDb,
  times: { from?: number | undefined; to?: number | undefined },
): RowRange | null {
  const { first, last } = ends(db).get() as { first: number | null; last: number | null };
  if (first === null || last === null) return null;
  const starts = [first, ...readClockJumps(db).filter((seq) => seq > first && seq <= last)];
  const ranges = starts.flatMap((fromSeq, at) => {
    const toSeq = starts[at + 1] ?? last + 1;
    const from = times.from === undefined ? fromSeq : bisect(db, { fromSeq, toSeq }, times.from - CLOCK_TOLERANCE_MS);
    const to = times.to === undefined ? toSeq : bisect(db, { fromSeq, toSeq }, times.to + CLOCK_TOLERANCE_MS);
    return from < to ? [{ fromSeq: from, toSeq: to }] : [];
  });
  if (ranges.length === 0) return null;
  return {
    fromSeq: Math.min(...ranges.map(({ fromSeq }) => fromSeq)),
    toSeq: Math.max(...ranges.map(({ toSeq }) => toSeq)),
  };
}

/** A row before which all, but for the tolerance, are older than the moment, and from which on none is. */
function bisect(db: SqliteDb, { fromSeq, toSeq }: RowRange, moment: number): number {
  let [low, high] = [fromSeq, toSeq];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    // Numbers may be missing where rows were removed.
    const row = atOf(db).get(middle) as { seq: number; at: number } | undefined;
    if (!row || row.seq >= high || row.at >= moment) high = middle;
    else low = row.seq + 1;
  }
  return low;
}
