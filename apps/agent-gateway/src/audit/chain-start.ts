import { randomBytes } from "node:crypto";
import { desc, eq } from "drizzle-orm";
import type { Db } from "../store/database.ts";
import { auditEvents, meta } from "../store/schema.ts";
import type { Checkpoint } from "./signing/checkpoints.ts";

/** The start and the current head of a chain. */
export interface ChainStart {
  genesis: string;
  seq: number;
  hash: string;
  /** When its last row was written. */
  at: number;
}

/** The chain begins at a random value, so that two empty logs are not interchangeable. */
export function readChainStart(db: Db): ChainStart {
  db.insert(meta)
    .values({ key: "audit-genesis", value: randomBytes(32).toString("hex") })
    .onConflictDoNothing()
    .run();
  const genesis = db.select().from(meta).where(eq(meta.key, "audit-genesis")).get()?.value ?? "";
  const last = db.select().from(auditEvents).orderBy(desc(auditEvents.seq)).limit(1).get();
  return { genesis, seq: last?.seq ?? 0, hash: last?.hash ?? genesis, at: last?.at ?? 0 };
}

/** A chain alone does not show that it was truncated or replaced; the checkpoints outside it do. Null if nothing is lost. */
export function findLoss(db: Db, { genesis, seq }: ChainStart, signed: Checkpoint | null): string | null {
  if (!signed) return null;
  if (signed.genesis !== genesis) return "It was removed or replaced: its checkpoints belong to another one.";
  if (signed.seq > seq) return `It ends at row ${seq}, but row ${signed.seq} was signed: its end was cut off.`;
  const row = db.select().from(auditEvents).where(eq(auditEvents.seq, signed.seq)).get();
  return row && row.hash !== signed.hash ? `Row ${signed.seq} or one before it differs from what was signed.` : null;
}
