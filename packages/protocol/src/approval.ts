import { z } from "zod";
import { ClientConversation } from "./hook-client.ts";
import { AgentId, ApprovalId, CommandId, TerminalId } from "./ids.ts";
import { Verdict } from "./verdict.ts";

/**
 * How far an approval reaches. `minutes` and `terminal` cover the same text from the same agent; `always` becomes a
 * rule of the policy, or a proposal for one if the person may not change the policy.
 */
export const ApprovalScope = z.discriminatedUnion("type", [
  z.object({ type: z.literal("once") }),
  z.object({ type: z.literal("terminal") }),
  z.object({ type: z.literal("minutes"), minutes: z.int().min(1).max(1440) }),
  z.object({ type: z.literal("always") }),
]);
export type ApprovalScope = z.infer<typeof ApprovalScope>;

/** A file that a command names and whose content was approved with it. */
export const NamedFile = z.object({
  path: z.string(),
  /** Hash of its content; of size and times if it is too large to read. */
  sha256: z.string(),
  bytes: z.int(),
  /** Whether it is run, not only read. */
  isCode: z.boolean(),
});
export type NamedFile = z.infer<typeof NamedFile>;

/** Everything an approval is bound to. A change in any field asks again. */
export const ApprovalSubject = z.object({
  text: z.string(),
  terminalId: TerminalId.nullable(),
  cwd: z.string(),
  agentId: AgentId,
  policyVersion: z.string(),
  /** How it runs: by a shell, started in the background, or typed into a program. */
  surface: z.enum(["execute", "spawn", "input"]),
  /** Set when no shell reads the text: the program that is executed, or that reads the input. */
  argv: z.array(z.string()).nullable(),
  env: z.record(z.string(), z.string()),
  stdin: z.string().nullable(),
  shell: z.string().nullable(),
  /** What the text resolves to in that shell: it changes once a function of that name is defined. */
  runs: z.array(z.string()),
  /** Why a person is asked, rule by rule. */
  asked: z.array(z.string()),
  /** The agent's profile. */
  profile: z.string(),
  /** Device and inode of the folder, which detect a redirected symlink; null if unknown. */
  folder: z.string().nullable(),
  files: z.array(NamedFile),
  /** Set when it runs in a client's own shell, outside Belay's terminals. */
  client: ClientConversation.nullable(),
  /** Set if only the agent is to see what the command would change; a yes to that is no yes to running it. */
  isPreview: z.literal(true).optional(),
  /** The machine that it runs on; not set on the gateway's own. A yes for one is no yes for another. */
  machine: z.string().optional(),
});
export type ApprovalSubject = z.infer<typeof ApprovalSubject>;

export const ApprovalState = z.discriminatedUnion("status", [
  z.object({ status: z.literal("pending") }),
  z.object({
    status: z.literal("approved"),
    by: z.array(z.string()),
    at: z.int(),
    scope: ApprovalScope,
    /** What the person changed the text to; null when they approved it as it was. */
    editedText: z.string().nullable(),
    /** The preview whose effect was taken over in place of running the command. */
    preview: z.string().optional(),
  }),
  z.object({ status: z.literal("denied"), by: z.string(), at: z.int(), message: z.string().nullable() }),
  z.object({ status: z.literal("expired"), at: z.int() }),
  /** The agent gave up, its terminal closed or its token was revoked. */
  z.object({ status: z.literal("withdrawn"), at: z.int(), reason: z.string() }),
]);
export type ApprovalState = z.infer<typeof ApprovalState>;

export const Approval = z.object({
  id: ApprovalId,
  commandId: CommandId,
  subject: ApprovalSubject,
  verdict: Verdict,
  /** The roles that may answer. */
  approvers: z.array(z.enum(["operator", "admin"])),
  approversNeeded: z.int().min(1),
  createdAt: z.int(),
  /** Null: it waits without a limit. */
  expiresAt: z.int().nullable(),
  state: ApprovalState,
});
export type Approval = z.infer<typeof Approval>;
