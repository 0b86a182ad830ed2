import type { AuditRow } from "@belay/agent-gateway/router";
import { placeOfRow } from "@belay/protocol/row-number";

/** How much is read again if several gateways write: this long, but never so many rows that no new one fits. */
const READ_AGAIN_MS = 3_000;
const MOST_READ_AGAIN = 250;

/**
 * Where the tail begins to read: after the newest row. If several gateways write, a little earlier, because a row of another one may
 * have a slightly older time and come later.
 */
export function tailCursor(rows: readonly Pick<AuditRow, "seq" | "at">[]): number {
  const [newest] = rows;
  if (!newest) return 0;
  const isOneGateway = rows.every(({ seq }) => placeOfRow(seq).gateway === placeOfRow(newest.seq).gateway);
  if (isOneGateway) return newest.seq;
  const overlap = rows.slice(0, MOST_READ_AGAIN);
  return (overlap.find(({ at }) => at <= newest.at - READ_AGAIN_MS) ?? overlap.at(-1) ?? newest).seq;
}
