import { AgentId, AuditEventType, CommandId, Decision, TerminalId } from "@belay/protocol";
import { z } from "zod";

/** Filters for rows; all given ones must match. */
export const AuditFilter = z.strictObject({
  /** Milliseconds since 1970; `from` is included, `to` is not. */
  from: z.int().optional(),
  to: z.int().optional(),
  /** Rows by or about this agent. */
  agentId: AgentId.optional(),
  personId: z.string().min(1).max(100).optional(),
  terminalId: TerminalId.optional(),
  commandId: CommandId.optional(),
  /** Rows of terminals on this machine, and about it. "gateway" is the gateway's own machine. */
  machine: z.string().min(1).max(64).optional(),
  types: z.array(AuditEventType).min(1).optional(),
  /** Only commands with this verdict. */
  verdict: Decision.optional(),
  /** Only judged commands that run this program. */
  program: z
    .string()
    .regex(/^[^\s%_]+$/, "must be the name of one program")
    .max(100)
    .optional(),
  /** Words that a row must all contain; each may be a prefix. */
  text: z.string().max(1000).optional(),
});
export type AuditFilter = z.infer<typeof AuditFilter>;
