import { formatRow } from "@belay/protocol";
import type { Checkpoint } from "../signing/checkpoints.ts";

/** The start and the current head of a chain. */
export interface ChainStart {
  genesis: string;
  seq: number;
  hash: string;
  /** When its last row was written. */
  at: number;
}

/**
 * A chain alone does not show that it was truncated or replaced; the checkpoints outside it do. Null if nothing is lost.
 * `signedHash` is the hash of the row that was signed last; null if that row is not there.
 */
export function findChainLoss(
  { genesis, seq }: ChainStart,
  signed: Checkpoint | null,
  signedHash: string | null,
): string | null {
  if (!signed) return null;
  if (signed.genesis !== genesis) return "It was removed or replaced: its checkpoints belong to another one.";
  if (signed.seq > seq)
    return `It ends at row ${formatRow(seq)}, but row ${formatRow(signed.seq)} was signed: its end was cut off.`;
  const isOther = signedHash !== null && signedHash !== signed.hash;
  return isOther ? `Row ${formatRow(signed.seq)} or one before it differs from what was signed.` : null;
}
