import { z } from "zod";
import { ClientConversation } from "./hook-client.ts";
import { AgentId, ApprovalId, CommandId, TerminalId } from "./ids.ts";
import { Verdict } from "./verdict.ts";

/**
 * How long an approval is valid. `minutes` and `terminal` cover the same text from the same agent. `always` becomes a
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
  /** A hash of its content, or of its size and times if it is too large to read. */
  sha256: z.string(),
  bytes: z.int(),
  /** Whether the file is run, not only read. */
  isCode: z.boolean(),
});
export type NamedFile = z.infer<typeof NamedFile>;

/** Everything that an approval is bound to. If any field changes, a person is asked again. */
export const ApprovalSubject = z.object({
  text: z.string(),
  terminalId: TerminalId.nullable(),
  cwd: z.string(),
  agentId: AgentId,
  policyVersion: z.string(),
  /** How it runs: in a shell, started in the background, or typed into a program. */
  surface: z.enum(["execute", "spawn", "input"]),
  /** Set when no shell reads the text: the program that is executed, or that reads the input. */
  argv: z.array(z.string()).nullable(),
  env: z.record(z.string(), z.string()),
  stdin: z.string().nullable(),
  shell: z.string().nullable(),
  /** What the text resolves to in that shell. It changes if, for example, a function of that name is defined. */
  runs: z.array(z.string()),
  /** The reasons for asking, one for each rule. */
  asked: z.array(z.string()),
  /** The agent's profile. */
  profile: z.string(),
  /** Device and inode of the folder, which reveal a redirected symlink; null if unknown. */
  folder: z.string().nullable(),
  files: z.array(NamedFile),
  /** Set if the command runs in a client's own shell, outside Belay's terminals. */
  client: ClientConversation.nullable(),
  /** Set if only the agent sees what the command would change. Approving that does not approve running it. */
  isPreview: z.literal(true).optional(),
  /**
   * The machine that it runs on; not set for the gateway's own. An approval for one machine is not valid on another.
   */
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
    /** What the person changed the text to; null if they approved it unchanged. */
    editedText: z.string().nullable(),
    /** The preview whose changes were applied instead of running the command. */
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
  /** Null: no time limit. */
  expiresAt: z.int().nullable(),
  state: ApprovalState,
});
export type Approval = z.infer<typeof Approval>;
