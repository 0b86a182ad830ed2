import type { AuditEvent } from "@belay/protocol";
import { z } from "zod";
import { canonical } from "../chain.ts";

/** The detail of a redacted row. Always the same, so that nothing can be hidden in it. */
export const REDACTED_DETAIL = { redacted: true } as const;

/**
 * What a redaction keeps of a row: everything except its detail. The hash stays in the chain, where the next row's hash
 * covers it, so that a copy of the erased text can still be verified.
 */
const CoveredRow = z.object({
  seq: z.int(),
  at: z.int(),
  type: z.string(),
  actor: z.record(z.string(), z.string()),
  commandId: z.string().nullable(),
  terminalId: z.string().nullable(),
  hash: z.string(),
});
type CoveredRow = z.infer<typeof CoveredRow>;

const Redaction = z.object({ rows: z.array(CoveredRow), reason: z.string() });

export function coverRow({ seq, at, type, actor, commandId, terminalId, hash }: AuditEvent): CoveredRow {
  return { seq, at, type, actor: { ...actor }, commandId, terminalId, hash };
}

export function isRedacted({ detail }: Pick<AuditEvent, "detail">): boolean {
  return canonical(detail) === canonical(REDACTED_DETAIL);
}

/** The rows that a row of the record declares as redacted; empty if it is about something else. */
export function coveredBy(row: AuditEvent): CoveredRow[] {
  if (row.type !== "audit.redacted") return [];
  return Redaction.safeParse(row.detail).data?.rows ?? [];
}

/** Whether a redacted row matches its declaration in all remaining fields. */
export function isCovered(row: AuditEvent, covered: CoveredRow): boolean {
  return canonical(coverRow(row)) === canonical(covered);
}
