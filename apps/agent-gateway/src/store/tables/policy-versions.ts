import type { Actor, ApprovalId } from "@belay/protocol";
import { and, desc, eq } from "drizzle-orm";
import type { Db } from "../database.ts";
import { prepareRows } from "../prepare-once.ts";
import { change, type Queries, queriesOf, rowOf, rowsOf, type Write, write } from "../queries.ts";

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

/** Committed with its row of the record. */
export function insertPolicyVersion(db: Db, row: PolicyVersion): Write {
  const { orm, policyVersions } = queriesOf(db);
  return write(orm.insert(policyVersions).values({ ...row, author: JSON.stringify(row.author) }));
}

/** Newest first. */
export async function listPolicyVersions(db: Db, limit: number): Promise<PolicyVersion[]> {
  const { orm, policyVersions } = queriesOf(db);
  const newest = orm.select().from(policyVersions).orderBy(desc(policyVersions.seq)).limit(limit);
  return (await rowsOf(newest)).map(toVersion);
}

const latest = prepareRows(({ orm, policyVersions }) =>
  orm.select({ seq: policyVersions.seq }).from(policyVersions).orderBy(desc(policyVersions.seq)).limit(1),
);

/** The number of the version in force; 0 before the first. */
export async function latestPolicySeq(db: Db): Promise<number> {
  const [row] = (await latest.rows(db)) as { seq: number }[];
  return row?.seq ?? 0;
}

export async function hasPolicyVersion(db: Db, version: string): Promise<boolean> {
  const { orm, policyVersions } = queriesOf(db);
  return (
    (await rowOf(orm.select().from(policyVersions).where(eq(policyVersions.version, version)).limit(1))) !== undefined
  );
}

export async function findPolicyVersion(db: Db, seq: number): Promise<PolicyVersion | undefined> {
  const { orm, policyVersions } = queriesOf(db);
  const row = await rowOf(orm.select().from(policyVersions).where(eq(policyVersions.seq, seq)));
  return row && toVersion(row);
}

export async function insertProposal(db: Db, row: PolicyProposal): Promise<void> {
  const { orm, policyProposals } = queriesOf(db);
  await change(orm.insert(policyProposals).values({ ...row, author: JSON.stringify(row.author) }));
}

export async function listOpenProposals(db: Db): Promise<PolicyProposal[]> {
  const { orm, policyProposals } = queriesOf(db);
  const open = orm.select().from(policyProposals).where(eq(policyProposals.status, "open")).orderBy(policyProposals.at);
  return (await rowsOf(open)).map((row) => ({
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
  const { orm, policyProposals } = queriesOf(db);
  const rejected = orm
    .select({ rules: policyProposals.rules })
    .from(policyProposals)
    .where(eq(policyProposals.status, "rejected"));
  return (await rowsOf(rejected)).map(({ rules }) => rules);
}

/** Settles a proposal, unless it was already settled. */
export async function settleProposal(
  db: Db,
  id: string,
  settling: { status: "accepted" | "rejected"; settledBy: string; settledAt: number },
): Promise<boolean> {
  const { orm, policyProposals } = queriesOf(db);
  const isOpen = and(eq(policyProposals.id, id), eq(policyProposals.status, "open"));
  return (await change(orm.update(policyProposals).set(settling).where(isOpen))) === 1;
}

function toVersion(row: Queries["policyVersions"]["$inferSelect"]): PolicyVersion {
  return { ...row, author: JSON.parse(row.author) as Actor };
}
