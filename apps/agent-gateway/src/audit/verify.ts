import { type AuditEvent, chainOf, formatRow } from "@belay/protocol";
import { hashRow } from "./chain.ts";
import { coveredBy, isCovered, isRedacted } from "./redact/redaction-proof.ts";
import type { Checkpoint } from "./signing/checkpoints.ts";

export type Verification =
  /**
   * `removed` counts the rows that were deleted because of their age and replaced by a signed seal; `unsigned` those at
   * the end without a signature yet: a few while a gateway runs or after it was killed, otherwise none;
   * `redacted` those whose detail was erased, each declared by another row.
   */
  | {
      ok: true;
      rows: number;
      removed: number;
      unsigned: number;
      checkpoints: number;
      redacted?: number;
      chains?: ChainReport[];
    }
  /** `seq` is the first wrong row; null if the problem is not about a row. */
  | { ok: false; seq: number | null; problem: string; chains?: ChainReport[] };

/** The result for one gateway's chain, if there are several. `unsigned` rows have not been seen by the gateway that verifies. */
export interface ChainReport {
  gateway: number;
  name: string;
  rows: number;
  removed: number;
  unsigned: number;
  /** Null: it is intact. */
  problem: string | null;
}

/** The gateway signs at least every so many rows, so a longer unsigned stretch has lost a signature. */
export const ROWS_PER_CHECKPOINT = 100;

export interface RecordToVerify {
  genesis: string;
  /** The gateway whose chain it is; 0 without it. */
  gateway?: number;
  /** In the order of their numbers. */
  rows: AsyncIterable<AuditEvent> | Iterable<AuditEvent>;
  /** In the order of the file; null for a line that is not a genuine checkpoint. */
  checkpoints: readonly (Statement | null)[];
  /** Rows of other chains that declare redactions. */
  redactions?: readonly AuditEvent[];
  /** The most rows that may be without a signature. */
  mostUnsigned?: number;
  /** The head of the chain according to the running gateway, if there is one. */
  head?: { seq: number; hash: string };
}

/** What a checkpoint says about one chain. */
export type Statement = Pick<Checkpoint, "genesis" | "seq" | "hash" | "seals">;

/**
 * Verifies one whole chain.
 *
 * 1. Every checkpoint is valid and of this record, and no two contradict each other.
 * 2. The chain begins at its genesis, or where the last seal says that it was pruned.
 * 3. Rows are numbered without a gap, and each hash follows from the previous one.
 * 4. The chain passes through every checkpoint and, while a gateway runs, through its last row.
 * 5. A redacted row has the hash and the other fields that a later row declares, and the fixed text as its detail.
 * 6. No unsigned stretch is longer than the gateway ever leaves.
 */
export async function verifyRecord(record: RecordToVerify): Promise<Verification> {
  const { genesis, rows, checkpoints, head, redactions = [], mostUnsigned = ROWS_PER_CHECKPOINT } = record;
  const { base } = chainOf(record.gateway ?? 0);
  const signed = collect(genesis, checkpoints);
  if ("problem" in signed) return signed;
  const { expected, seal, lastSigned } = signed;
  let seq = seal?.seq ?? base;
  let hash = seal?.hash ?? genesis;
  let signedAt = seq;
  let redacted = 0;
  /** Apparently redacted: to be confirmed by a later row. */
  const unproved = new Map<number, AuditEvent>();

  for await (const row of rows) {
    if (row.seq <= (seal?.seq ?? base)) continue; // sealed and about to be removed
    seq += 1;
    if (row.seq !== seq) return broken(seq, `Row ${formatRow(seq)} is missing.`);
    const computed = hashRow(hash, row);
    if (row.hash !== computed) {
      if (!isRedacted(row)) return broken(seq, `Row ${formatRow(seq)} or one before it was changed.`);
      unproved.set(seq, row);
    }
    hash = row.hash;
    for (const covered of coveredBy(row)) {
      const before = unproved.get(covered.seq);
      if (before && isCovered(before, covered) && unproved.delete(covered.seq)) redacted += 1;
    }
    if ((expected.get(seq) ?? hash) !== hash) {
      return broken(
        seq,
        `The chain up to row ${formatRow(seq)} was written anew: it differs from a signed checkpoint.`,
      );
    }
    if (head?.seq === seq && head.hash !== hash) {
      return broken(seq, `The chain up to row ${formatRow(seq)} was written anew: this gateway wrote it differently.`);
    }
    if (expected.has(seq)) signedAt = seq;
    // Rows written since verification began may be covered by checkpoints that were not read.
    if (seq - signedAt > mostUnsigned && seq <= (head?.seq ?? seq)) {
      return broken(signedAt + 1, `Rows from ${formatRow(signedAt + 1)} on are not signed: checkpoints were removed.`);
    }
  }
  for (const covered of redactions.flatMap(coveredBy)) {
    const before = unproved.get(covered.seq);
    if (before && isCovered(before, covered) && unproved.delete(covered.seq)) redacted += 1;
  }
  const [changed] = unproved.keys();
  if (changed !== undefined)
    return broken(changed, `Row ${formatRow(changed)} was changed, and no redaction on record covers it.`);
  const end = seq === base ? "0" : formatRow(seq);
  if (lastSigned > seq) {
    const signedRow = formatRow(lastSigned);
    return broken(seq + 1, `The record ends at row ${end}, but row ${signedRow} was signed: its tail was cut.`);
  }
  if (head && head.seq > seq) {
    const wrote = formatRow(head.seq);
    return broken(seq + 1, `The record ends at row ${end}, but this gateway wrote row ${wrote}: its tail was cut.`);
  }
  const start = seal?.seq ?? base;
  return {
    ok: true,
    rows: seq - start,
    removed: start - base,
    unsigned: seq - signedAt,
    checkpoints: checkpoints.length,
    ...(redacted > 0 ? { redacted } : {}),
  };
}

function collect(genesis: string, checkpoints: RecordToVerify["checkpoints"]) {
  const expected = new Map<number, string>();
  let seal: Statement | null = null;
  let lastSigned = 0;
  for (const [index, checkpoint] of checkpoints.entries()) {
    if (!checkpoint) return broken(null, `Checkpoint ${index + 1} was changed or is not ours.`);
    if (checkpoint.genesis !== genesis) {
      return broken(null, "The checkpoints belong to another record: this one was replaced as a whole.");
    }
    const { seq, hash } = checkpoint;
    if ((expected.get(seq) ?? hash) !== hash) {
      return broken(
        seq,
        `Row ${formatRow(seq)} was signed twice, differently: the record was cut before it and continued.`,
      );
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
