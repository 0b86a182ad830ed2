import { createHash } from "node:crypto";
import type { Actor, AuditEvent } from "@belay/protocol";

/** The fields of a row that its hash covers. */
export type ChainedFields = Omit<AuditEvent, "hash" | "actor" | "detail"> & {
  actor: Actor;
  detail: AuditEvent["detail"];
};

/** Hashes a row: the previous hash, then the fields in a fixed order. Callers that already have the texts pass them in. */
export function hashRow(
  previousHash: string,
  row: ChainedFields,
  { actor, detail } = { actor: canonical(row.actor), detail: canonical(row.detail) },
): string {
  const fields = [row.seq, row.at, row.type, actor, row.commandId, row.terminalId, detail];
  return createHash("sha256").update(previousHash).update("\n").update(JSON.stringify(fields)).digest("hex");
}

/** JSON with sorted keys, so that the same value always has the same text. */
export function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    inner !== null && typeof inner === "object" && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([left], [right]) => (left < right ? -1 : 1)))
      : inner,
  );
}
