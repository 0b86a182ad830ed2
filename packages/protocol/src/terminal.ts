import { z } from "zod";
import { AgentId, CommandId, TerminalId } from "./ids.ts";
import { TerminalWall } from "./isolation.ts";
import { ResourceLimits } from "./resource-limits.ts";

/** Who may type. It moves from the agent to a person, and back only if the person took over temporarily. */
export const TerminalOwner = z.enum(["user", "agent"]);
export type TerminalOwner = z.infer<typeof TerminalOwner>;

export const CloseReason = z.enum([
  "exited",
  "killed",
  "idle",
  "expired",
  "agent-reset",
  "limit",
  "shutdown",
  "host-lost",
]);
export type CloseReason = z.infer<typeof CloseReason>;

/** The life of a terminal. It only moves forward. */
export const TerminalState = z.discriminatedUnion("status", [
  z.object({ status: z.literal("starting") }),
  z.object({ status: z.literal("running"), pid: z.int() }),
  z.object({ status: z.literal("closing"), reason: CloseReason }),
  z.object({ status: z.literal("closed"), reason: CloseReason, exitCode: z.int().nullable() }),
]);
export type TerminalState = z.infer<typeof TerminalState>;

/** What a terminal is doing now, shown at a glance. */
export const TerminalActivity = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("idle") }),
  z.object({
    kind: z.literal("busy"),
    commandId: CommandId.nullable(),
    line: z.string(),
    since: z.int(),
    /** What the running program is waiting for, as far as the kernel says. */
    wants: z.enum(["nothing", "input", "secret", "fullscreen"]),
  }),
]);
export type TerminalActivity = z.infer<typeof TerminalActivity>;

export const TerminalInfo = z.object({
  id: TerminalId,
  owner: TerminalOwner,
  /** A person took over temporarily, and will hand the terminal back to its agent. */
  isBorrowed: z.literal(true).optional(),
  visible: z.boolean(),
  /** The machine that it runs on; not set for the gateway's own. */
  machine: z.string().optional(),
  /** That machine is not connected. This is the last known state; the terminal keeps running. */
  isAway: z.literal(true).optional(),
  /** The agent that it was started for, even after a person took over; null for a person's own terminal. */
  agentId: AgentId.nullable(),
  /** A name that the agent chose, unique among its open terminals. */
  name: z.string().nullable(),
  title: z.string(),
  cwd: z.string(),
  /**
   * Device and inode of the shell's folder, which identify it even if its path changes. Not set if the kernel does not
   * report them.
   */
  folderId: z.string().optional(),
  /** Set until its shell shows a prompt: the kernel reports no folder of the shell before. */
  isStarting: z.literal(true).optional(),
  /** The argument list it was started with; null for a shell. */
  command: z.array(z.string()).nullable(),
  shell: z.string().nullable(),
  /** Not set when there is no wall. */
  wall: TerminalWall.optional(),
  /** The user that its programs run as, if that is not Belay's own. */
  user: z.string().optional(),
  /** Not set if there are no limits. */
  limits: ResourceLimits.optional(),
  createdAt: z.int(),
  cols: z.int(),
  rows: z.int(),
  state: TerminalState,
  activity: TerminalActivity,
  /** Absolute position after the last byte of output. */
  position: z.int(),
});
export type TerminalInfo = z.infer<typeof TerminalInfo>;
