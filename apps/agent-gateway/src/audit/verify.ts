import type { AuditEvent } from "@belay/protocol";
import { hashRow } from "./chain.ts";
import type { Checkpoint } from "./checkpoints.ts";

export type Verification =
  | { ok: true; rows: number; checkpoints: number }
  /** `seq` names the first row that is wrong; null where it is not about a row. */
  | { ok: false; seq: number | null; problem: string };

/**
 * Reads the whole record and says whether it is what was written.
 *
 * 1. Rows are numbered without a gap, and each hash follows from the one before.
 * 2. Every checkpoint is genuine, and the chain passes through it.
 * 3. The last checkpoint lies within the chain: else its tail was cut, or all of it deleted.
 */
export function verifyRecord(
  genesis: string,
  rows: Iterable<AuditEvent>,
  checkpoints: readonly (Checkpoint | null)[],
): Verification {
  const expected = new Map<number, string>();
  for (const [index, checkpoint] of checkpoints.entries()) {
    if (!checkpoint) return { ok: false, seq: null, problem: `Checkpoint ${index + 1} was changed or is not ours.` };
    if (checkpoint.genesis !== genesis) {
      return {
        ok: false,
        seq: null,
        problem: "The checkpoints belong to another record: this one was replaced as a whole.",
      };
    }
    expected.set(checkpoint.seq, checkpoint.hash);
  }

  let seq = 0;
  let hash = genesis;
  for (const row of rows) {
    seq += 1;
    if (row.seq !== seq) return { ok: false, seq, problem: `Row ${seq} is missing.` };
    hash = hashRow(hash, row);
    if (row.hash !== hash) return { ok: false, seq, problem: `Row ${seq} or one before it was changed.` };
    const signed = expected.get(seq);
    if (signed !== undefined && signed !== hash) {
      return {
        ok: false,
        seq,
        problem: `The chain up to row ${seq} was written anew: it differs from a signed checkpoint.`,
      };
    }
  }
  const lastSigned = Math.max(0, ...expected.keys());
  if (lastSigned > seq) {
    return {
      ok: false,
      seq: seq + 1,
      problem: `The record ends at row ${seq}, but row ${lastSigned} was signed: its tail was cut.`,
    };
  }
  return { ok: true, rows: seq, checkpoints: checkpoints.length };
}
