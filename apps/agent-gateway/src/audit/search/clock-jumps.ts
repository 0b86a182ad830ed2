import type { Statement } from "better-sqlite3";
import type { SqliteDb } from "../../store/sqlite/open-database.ts";

const KEY = "audit-clock-jumps";

/** The clock may be set back by up to this much without being recorded as a jump. */
export const CLOCK_TOLERANCE_MS = 3_600_000;

/** The first rows after the clock was set back by more than the tolerance, oldest first. */
export function readClockJumps({ $client }: SqliteDb): number[] {
  const stored = $client.prepare(`SELECT value FROM meta WHERE key = '${KEY}'`).pluck().get();
  return JSON.parse(String(stored ?? "[]")) as number[];
}

/** Notices when the clock was set back, so that a search by time knows where the order of rows is not that of their times. */
export class ClockJumps {
  readonly #keep: Statement<[{ jumps: string }]>;
  readonly #jumps: number[];
  #latest: number;

  constructor(db: SqliteDb, latest: number) {
    this.#keep = db.$client.prepare(
      `INSERT INTO meta (key, value) VALUES ('${KEY}', @jumps) ON CONFLICT (key) DO UPDATE SET value = @jumps`,
    );
    this.#jumps = readClockJumps(db);
    this.#latest = latest;
  }

  /** Call this for each row, in the transaction that writes it. If that is rolled back, a jump too many does no harm. */
  see(seq: number, at: number): void {
    if (at >= this.#latest) this.#latest = at;
    // Half of the tolerance, because an earlier gateway may have seen a later time than the last row has.
    if (at >= this.#latest - CLOCK_TOLERANCE_MS / 2) return;
    this.#latest = at;
    this.#jumps.push(seq);
    this.#keep.run({ jumps: JSON.stringify(this.#jumps) });
  }
}
