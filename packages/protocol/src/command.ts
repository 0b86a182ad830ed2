import { z } from "zod";
import { CommandId, TerminalId } from "./ids.ts";
import { ReachedLimit } from "./resource-limits.ts";

/** The state of a command. `exited` means that its shell ended with it. */
export const CommandState = z.enum([
  "completed",
  "running",
  "background",
  "waiting_input",
  "waiting_secret",
  "waiting_approval",
  "fullscreen",
  "exited",
]);
export type CommandState = z.infer<typeof CommandState>;

/** How Belay knows the state: from its marker, from a process that ended, from the kernel, or only from silence. */
export const Evidence = z.enum(["marker", "exit", "kernel", "silence"]);
export type Evidence = z.infer<typeof Evidence>;

export const CommandReport = z.object({
  commandId: CommandId,
  terminalId: TerminalId,
  state: CommandState,
  evidence: Evidence,
  /** Null if unknown; never a guessed 0. */
  exitCode: z.int().nullable(),
  /** Its output is between these two absolute byte positions. */
  startPosition: z.int(),
  endPosition: z.int(),
  cwd: z.string(),
  durationMs: z.number(),
  /** The limit that the terminal had reached when the command ended. */
  limit: ReachedLimit.optional(),
});
export type CommandReport = z.infer<typeof CommandReport>;
