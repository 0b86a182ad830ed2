import { createHash } from "node:crypto";
import { redactJson, redactSecrets } from "@belay/core";
import type {
  AgentId,
  Approval,
  ApprovalId,
  ApprovalState,
  ApprovalSubject,
  CommandId,
  TerminalId,
} from "@belay/protocol";
import { and, asc, desc, eq, gt, isNull, or } from "drizzle-orm";
import { GatewayError } from "../../errors.ts";
import type { Db } from "../database.ts";
import { change, commit, type Queries, queriesOf, rowOf, rowsOf, type Write, write } from "../queries.ts";

/** Committed with its row of the record. */
export function insertApproval(db: Db, approval: Approval): Write {
  const { orm, approvals } = queriesOf(db);
  const { subject, verdict, state, approvers, ...row } = approval;
  return write(
    orm.insert(approvals).values({
      ...row,
      ...columnsOf(subject),
      verdict: JSON.stringify(verdict),
      approvers: JSON.stringify(approvers),
      status: state.status,
      state: JSON.stringify(state),
    }),
  );
}

export async function findApproval(db: Db, id: ApprovalId): Promise<Approval | undefined> {
  const { orm, approvals } = queriesOf(db);
  const row = await rowOf(orm.select().from(approvals).where(eq(approvals.id, id)));
  return row && toApproval(row);
}

/** Newest first: the questions about one command. */
export async function listApprovalsOf(db: Db, commandId: CommandId): Promise<Approval[]> {
  const { orm, approvals } = queriesOf(db);
  const rows = orm
    .select()
    .from(approvals)
    .where(eq(approvals.commandId, commandId))
    .orderBy(desc(approvals.createdAt));
  return (await rowsOf(rows)).map(toApproval);
}

/** Oldest first: the queue. */
export async function listPendingApprovals(db: Db): Promise<Approval[]> {
  const { orm, approvals } = queriesOf(db);
  const rows = orm.select().from(approvals).where(eq(approvals.status, "pending")).orderBy(asc(approvals.createdAt));
  return (await rowsOf(rows)).map(toApproval);
}

/** The commands of this gateway that have a question. */
export async function listWaitingCommands(db: Db): Promise<CommandId[]> {
  const { orm, approvals, commands, gateway } = queriesOf(db);
  const own = orm
    .select({ commandId: approvals.commandId })
    .from(approvals)
    .innerJoin(commands, eq(commands.id, approvals.commandId))
    .where(and(eq(approvals.status, "pending"), eq(commands.gateway, gateway)));
  return (await rowsOf(own)).map(({ commandId }) => commandId as CommandId);
}

/** Newest first. */
export async function listRecentApprovals(db: Db, limit: number): Promise<Approval[]> {
  const { orm, approvals } = queriesOf(db);
  const rows = orm.select().from(approvals).orderBy(desc(approvals.createdAt)).limit(limit);
  return (await rowsOf(rows)).map(toApproval);
}

/** Newest first: questions since then, for suggesting rules. */
export async function listApprovalsSince(db: Db, since: number, limit: number): Promise<Approval[]> {
  const { orm, approvals } = queriesOf(db);
  const rows = orm.select().from(approvals).where(gt(approvals.createdAt, since)).orderBy(desc(approvals.createdAt));
  return (await rowsOf(rows.limit(limit))).map(toApproval);
}

/** Refused commands, newest first. */
export async function listDeniedApprovals(db: Db, limit: number): Promise<Approval[]> {
  const { orm, approvals } = queriesOf(db);
  const rows = orm.select().from(approvals).where(eq(approvals.status, "denied")).orderBy(desc(approvals.createdAt));
  return (await rowsOf(rows.limit(limit))).map(toApproval);
}

/** Extends the deadlines of pending questions. */
export async function postponeApproval(db: Db, id: ApprovalId, expiresAt: number): Promise<void> {
  const { orm, approvals } = queriesOf(db);
  const isPending = and(eq(approvals.id, id), eq(approvals.status, "pending"));
  await change(orm.update(approvals).set({ expiresAt }).where(isPending));
}

/**
 * Settles an approval, unless it was already settled. While it is pending, people must see exactly what will
 * run; afterwards secrets are redacted. Committed with the row of its answer.
 */
export function settlingApproval(db: Db, { id, subject, verdict }: Approval, state: ApprovalState): Write {
  const { orm, approvals } = queriesOf(db);
  const settled = orm
    .update(approvals)
    .set({
      status: state.status,
      state: JSON.stringify(redactJson(state)),
      text: redactSecrets(subject.text),
      binding: redactText(columnsOf(subject).binding),
      verdict: redactText(JSON.stringify(verdict)),
    })
    .where(and(eq(approvals.id, id), eq(approvals.status, "pending")));
  return { ...write(settled), refusal: () => new GatewayError("already-settled", "This was already answered.") };
}

/** The same without a row of the record. */
export async function settleApproval(db: Db, approval: Approval, state: ApprovalState): Promise<void> {
  await commit(settlingApproval(db, approval, state));
}

/** One of several approvals that a question needs. Refused if this person has given theirs. */
export function addVote(db: Db, vote: { approvalId: ApprovalId; personId: string; at: number }): Write {
  const { orm, approvalVotes } = queriesOf(db);
  const refusal = () => new GatewayError("already-voted", "You have already approved this; it needs another person.");
  return { ...write(orm.insert(approvalVotes).values(vote).onConflictDoNothing()), refusal };
}

/** The people who have approved, in their order. */
export async function listVoters(db: Db, approvalId: ApprovalId): Promise<string[]> {
  const { orm, approvalVotes } = queriesOf(db);
  const votes = orm.select().from(approvalVotes).where(eq(approvalVotes.approvalId, approvalId));
  return (await rowsOf(votes.orderBy(asc(approvalVotes.at)))).map(({ personId }) => personId);
}

export async function insertGrant(
  db: Db,
  { approvalId, subject, expiresAt }: { approvalId: ApprovalId; subject: ApprovalSubject; expiresAt: number | null },
): Promise<void> {
  const { orm, grants } = queriesOf(db);
  await change(orm.insert(grants).values({ approvalId, expiresAt, ...fingerprintOf(subject) }));
}

/** An earlier approval that covers exactly this. */
export async function findGrant(db: Db, subject: ApprovalSubject, now: number): Promise<ApprovalId | null> {
  const { orm, grants } = queriesOf(db);
  const same = fingerprintOf(subject);
  const sameTerminal =
    subject.terminalId === null
      ? isNull(grants.terminalId)
      : or(isNull(grants.terminalId), eq(grants.terminalId, subject.terminalId));
  const covering = orm
    .select()
    .from(grants)
    .where(
      and(
        eq(grants.agentId, subject.agentId),
        eq(grants.text, same.text),
        eq(grants.cwd, subject.cwd),
        eq(grants.policyVersion, subject.policyVersion),
        eq(grants.binding, same.binding),
        sameTerminal,
        or(isNull(grants.expiresAt), gt(grants.expiresAt, now)),
      ),
    )
    .limit(1);
  const row = await rowOf(covering);
  return (row?.approvalId as ApprovalId | undefined) ?? null;
}

/** What was asked, of all earlier approvals that cover more than one command of an agent. */
export async function listGrantedTexts(db: Db, agentId: AgentId, now: number): Promise<string[]> {
  const { orm, grants, approvals } = queriesOf(db);
  const granted = orm
    .select({ text: approvals.text })
    .from(grants)
    .innerJoin(approvals, eq(approvals.id, grants.approvalId))
    .where(and(eq(grants.agentId, agentId), or(isNull(grants.expiresAt), gt(grants.expiresAt, now))));
  return (await rowsOf(granted)).map(({ text }) => text);
}

/** Of JSON, only the values. */
function redactText(json: string): string {
  return JSON.stringify(redactJson(JSON.parse(json)));
}

function toApproval(row: Queries["approvals"]["$inferSelect"]): Approval {
  return {
    id: row.id as ApprovalId,
    commandId: row.commandId as CommandId,
    subject: {
      text: row.text,
      terminalId: row.terminalId as TerminalId | null,
      cwd: row.cwd,
      agentId: row.agentId as AgentId,
      policyVersion: row.policyVersion,
      ...NO_BINDING,
      ...(JSON.parse(row.binding) as Partial<Binding>),
    },
    verdict: JSON.parse(row.verdict) as Approval["verdict"],
    approvers: JSON.parse(row.approvers) as Approval["approvers"],
    approversNeeded: row.approversNeeded,
    createdAt: row.createdAt,
    expiresAt: row.expiresAt,
    state: JSON.parse(row.state) as ApprovalState,
  };
}

type Binding = Pick<
  ApprovalSubject,
  | "surface"
  | "argv"
  | "env"
  | "stdin"
  | "shell"
  | "runs"
  | "asked"
  | "profile"
  | "folder"
  | "files"
  | "client"
  | "isPreview"
>;

const NO_BINDING: Binding = {
  surface: "execute",
  argv: null,
  env: {},
  stdin: null,
  shell: null,
  runs: [],
  asked: [],
  profile: "",
  folder: null,
  files: [],
  client: null,
};

/** Fields used in lookups have their own column; the rest is compared as one canonical text. */
function columnsOf({ text, terminalId, cwd, agentId, policyVersion, ...rest }: ApprovalSubject) {
  const { surface, argv, env, stdin, shell, runs, asked, profile, folder, files, client, isPreview, machine } = rest;
  const sorted = Object.fromEntries(Object.entries(env).sort(([a], [b]) => (a < b ? -1 : 1)));
  const given = { surface, argv, env: sorted, stdin, shell, runs, asked, profile, folder, files };
  const more = { ...(client ? { client } : {}), ...(isPreview ? { isPreview } : {}), ...(machine ? { machine } : {}) };
  const binding = JSON.stringify({ ...given, ...more } satisfies Partial<Binding>);
  return { text, terminalId, cwd, agentId, policyVersion, binding };
}

/** A grant only has to recognise the same text again, so it stores a hash of it. */
function fingerprintOf(subject: ApprovalSubject) {
  const { text, binding, ...columns } = columnsOf(subject);
  return { ...columns, text: sha256(text), binding: sha256(binding) };
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** Whether two subjects are the same in every field. */
export function isSameSubject(one: ApprovalSubject, other: ApprovalSubject): boolean {
  return JSON.stringify(columnsOf(one)) === JSON.stringify(columnsOf(other));
}
