import type { AuditEvent } from "@belay/protocol";
import { hashRow } from "./chain.ts";
import { coveredBy, isCovered, isRedacted } from "./redact/redaction-proof.ts";
import type { Checkpoint } from "./signing/checkpoints.ts";

export type Verification =
  /**
   * `removed` counts the rows that were deleted because of their age and replaced by a signed seal; `unsigned` those at
   * the end without a signature yet: a few while a gateway runs or after it was killed, otherwise none;
   * `redacted` those whose detail was erased, each declared by another row.
   */
  | { ok: true; rows: number; removed: number; unsigned: number; checkpoints: number; redacted?: number }
  /** `seq` is the first wrong row; null if the problem is not about a row. */
  | { ok: false; seq: number | null; problem: string };

/** The gateway signs at least every so many rows, so a longer unsigned stretch has lost a signature. */
export const ROWS_PER_CHECKPOINT = 100;

export interface RecordToVerify {
  genesis: string;
  /** In the order of their numbers. */
  rows: AsyncIterable<AuditEvent> | Iterable<AuditEvent>;
  /** In the order of the file; null for a line that is not a genuine checkpoint. */
  checkpoints: readonly (Checkpoint | null)[];
  /** The head of the chain according to the running gateway, if there is one. */
  head?: { seq: number; hash: string };
}

/**
 * Verifies the whole record.
 *
 * 1. Every checkpoint is valid and of this record, and no two contradict each other.
 * 2. The chain begins at its genesis, or where the last seal says that it was pruned.
 * 3. Rows are numbered without a gap, and each hash follows from the previous one.
 * 4. The chain passes through every checkpoint and, while a gateway runs, through its last row.
 * 5. A redacted row has the hash and the other fields that a later row declares, and the fixed text as its detail.
 * 6. No unsigned stretch is longer than the gateway ever leaves.
 */
export async function verifyRecord({ genesis, rows, checkpoints, head }: RecordToVerify): Promise<Verification> {
  const signed = collect(genesis, checkpoints);
  if ("problem" in signed) return signed;
  const { expected, seal, lastSigned } = signed;
  let seq = seal?.seq ?? 0;
  let hash = seal?.hash ?? genesis;
  let signedAt = seq;
  let redacted = 0;
  /** Apparently redacted: to be confirmed by a later row. */
  const unproved = new Map<number, AuditEvent>();

  for await (const row of rows) {
    if (row.seq <= (seal?.seq ?? 0)) continue; // sealed and about to be removed
    seq += 1;
    if (row.seq !== seq) return broken(seq, `Row ${seq} is missing.`);
    const computed = hashRow(hash, row);
    if (row.hash !== computed) {
      if (!isRedacted(row)) return broken(seq, `Row ${seq} or one before it was changed.`);
      unproved.set(seq, row);
    }
    hash = row.hash;
    for (const covered of coveredBy(row)) {
      const before = unproved.get(covered.seq);
      if (before && isCovered(before, covered) && unproved.delete(covered.seq)) redacted += 1;
    }
    if ((expected.get(seq) ?? hash) !== hash) {
      return broken(seq, `The chain up to row ${seq} was written anew: it differs from a signed checkpoint.`);
    }
    if (head?.seq === seq && head.hash !== hash) {
      return broken(seq, `The chain up to row ${seq} was written anew: this gateway wrote it differently.`);
    }
    if (expected.has(seq)) signedAt = seq;
    // Rows written since verification began may be covered by checkpoints that were not read.
    if (seq - signedAt > ROWS_PER_CHECKPOINT && seq <= (head?.seq ?? seq)) {
      return broken(signedAt + 1, `Rows from ${signedAt + 1} on are not signed: checkpoints were removed.`);
    }
  }
  const [changed] = unproved.keys();
  if (changed !== undefined)
    return broken(changed, `Row ${changed} was changed, and no redaction on record covers it.`);
  if (lastSigned > seq) {
    return broken(seq + 1, `The record ends at row ${seq}, but row ${lastSigned} was signed: its tail was cut.`);
  }
  if (head && head.seq > seq) {
    return broken(seq + 1, `The record ends at row ${seq}, but this gateway wrote row ${head.seq}: its tail was cut.`);
  }
  const removed = seal?.seq ?? 0;
  return {
    ok: true,
    rows: seq - removed,
    removed,
    unsigned: seq - signedAt,
    checkpoints: checkpoints.length,
    ...(redacted > 0 ? { redacted } : {}),
  };
}

function collect(genesis: string, checkpoints: RecordToVerify["checkpoints"]) {
  const expected = new Map<number, string>();
  let seal: Checkpoint | null = null;
  let lastSigned = 0;
  for (const [index, checkpoint] of checkpoints.entries()) {
    if (!checkpoint) return broken(null, `Checkpoint ${index + 1} was changed or is not ours.`);
    if (checkpoint.genesis !== genesis) {
      return broken(null, "The checkpoints belong to another record: this one was replaced as a whole.");
    }
    const { seq, hash } = checkpoint;
    if ((expected.get(seq) ?? hash) !== hash) {
      return broken(seq, `Row ${seq} was signed twice, differently: the record was cut before it and continued.`);
    }
    expected.set(seq, hash);
    lastSigned = Math.max(lastSigned, seq);
    if (checkpoint.seals && seq > (seal?.seq ?? 0)) seal = checkpoint;
  }
  return { expected, seal, lastSigned };
}

function broken(seq: number | null, problem: string): Extract<Verification, { ok: false }> {
  return { ok: false, seq, problem };
}
