import { z } from "zod";
import { AgentId, CommandId, TerminalId } from "./ids.ts";

/** Who did it. */
export const Actor = z.discriminatedUnion("type", [
  z.object({ type: z.literal("agent"), id: AgentId }),
  z.object({ type: z.literal("person"), id: z.string() }),
  /** Whoever may use the data dir: the command line. */
  z.object({ type: z.literal("local") }),
  z.object({ type: z.literal("system") }),
]);
export type Actor = z.infer<typeof Actor>;

export const AuditEventType = z.enum([
  "command.opened",
  "command.judged",
  "command.asked",
  "command.answered",
  "approval.answered",
  "command.started",
  "command.closed",
  "command.reported",
  "command.changed",
  "terminal.created",
  "terminal.promoted",
  "terminal.borrowed",
  "terminal.handed-back",
  "terminal.pen-taken",
  "terminal.interrupted",
  "terminal.killed",
  "terminal.closed",
  "terminal.answer-lent",
  "terminal.shared",
  "terminal.unshared",
  "share.created",
  "share.opened",
  "share.revoked",
  "webhook.added",
  "webhook.removed",
  "agent.added",
  "agent.changed",
  "agent.reset",
  "agent.token-renewed",
  "agent.revoked",
  "agents.frozen",
  "agents.released",
  "person.added",
  "person.removed",
  "person.invited",
  "person.invitation-withdrawn",
  "person.account-linked",
  "person.sign-in-failed",
  "person.session-ended",
  "person.role-changed",
  "person.password-changed",
  "person.signed-in",
  "person.signed-out",
  "recording.opened",
  "recording.removed",
  "audit.exported",
  "audit.pruned",
  "changes.undo-asked",
  "changes.undone",
  "trash.restored",
  "trash.emptied",
  "policy.changed",
  "policy.broken",
  "policy.edit-waits",
  "policy.edit-discarded",
  "policy.proposed",
  "policy.proposal-settled",
  "gateway.started",
  "gateway.stopped",
]);
export type AuditEventType = z.infer<typeof AuditEventType>;

/** One row of the record. Rows are chained: each hash covers the row and the hash before it. */
export const AuditEvent = z.object({
  seq: z.int(),
  at: z.int(),
  type: AuditEventType,
  actor: Actor,
  commandId: CommandId.nullable(),
  terminalId: TerminalId.nullable(),
  detail: z.record(z.string(), z.json()),
  hash: z.string(),
});
export type AuditEvent = z.infer<typeof AuditEvent>;
