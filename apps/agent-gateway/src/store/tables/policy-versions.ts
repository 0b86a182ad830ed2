import type { Actor, ApprovalId } from "@belay/protocol";
import { and, desc, eq } from "drizzle-orm";
import type { Db } from "../database.ts";
import { policyProposals, policyVersions } from "../schema.ts";

export interface PolicyVersion {
  seq: number;
  version: string;
  text: string | null;
  at: number;
  author: Actor;
  note: string;
}

export interface PolicyProposal {
  id: string;
  approvalId: ApprovalId;
  /** JSON of the rules. */
  rules: string;
  author: Actor;
  at: number;
  status: "open" | "accepted" | "rejected";
}

/** Written in one transaction with its row of the record, hence not async. */
export function insertPolicyVersion(db: Db, row: Omit<PolicyVersion, "seq">): void {
  db.insert(policyVersions)
    .values({ ...row, author: JSON.stringify(row.author) })
    .run();
}

/** Newest first. */
export async function listPolicyVersions(db: Db, limit: number): Promise<PolicyVersion[]> {
  return db.select().from(policyVersions).orderBy(desc(policyVersions.seq)).limit(limit).all().map(toVersion);
}

export async function findPolicyVersion(db: Db, seq: number): Promise<PolicyVersion | undefined> {
  const row = db.select().from(policyVersions).where(eq(policyVersions.seq, seq)).get();
  return row && toVersion(row);
}

export async function insertProposal(db: Db, row: PolicyProposal): Promise<void> {
  db.insert(policyProposals)
    .values({ ...row, author: JSON.stringify(row.author) })
    .run();
}

export async function listOpenProposals(db: Db): Promise<PolicyProposal[]> {
  return db
    .select()
    .from(policyProposals)
    .where(eq(policyProposals.status, "open"))
    .orderBy(policyProposals.at)
    .all()
    .map((row) => ({
      id: row.id,
      approvalId: row.approvalId as ApprovalId,
      rules: row.rules,
      author: JSON.parse(row.author) as Actor,
      at: row.at,
      status: row.status,
    }));
}

/** JSON of the rules that an admin dismissed. */
export async function listRejectedProposals(db: Db): Promise<string[]> {
  const rows = db
    .select({ rules: policyProposals.rules })
    .from(policyProposals)
    .where(eq(policyProposals.status, "rejected"));
  return rows.all().map(({ rules }) => rules);
}

/** Settles a proposal, unless it was already settled. */
export async function settleProposal(
  db: Db,
  id: string,
  settling: { status: "accepted" | "rejected"; settledBy: string; settledAt: number },
): Promise<boolean> {
  const { changes } = db
    .update(policyProposals)
    .set(settling)
    .where(and(eq(policyProposals.id, id), eq(policyProposals.status, "open")))
    .run();
  return changes === 1;
}

function toVersion(row: typeof policyVersions.$inferSelect): PolicyVersion {
  return { ...row, author: JSON.parse(row.author) as Actor };
}
