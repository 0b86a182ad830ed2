import { z } from "zod";
import { TerminalId } from "../ids.ts";
import { TerminalOwner } from "../terminal.ts";

/**
 * The plain form of `/ws`: one JSON object per text message (WIRE-10 … WIRE-19).
 * Simple to implement; `belay.v1` is the fast form.
 */
export const Cols = z.int().min(1).max(1000);
export const Rows = z.int().min(1).max(1000);

export const ClientJsonFrame = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("auth"), token: z.string().max(512) }),
  z.strictObject({ type: z.literal("pty:attach"), id: TerminalId }),
  z.strictObject({ type: z.literal("pty:detach"), id: TerminalId }),
  z.strictObject({ type: z.literal("pty:input"), id: TerminalId, data: z.string() }),
  z.strictObject({ type: z.literal("pty:resize"), id: TerminalId, cols: Cols, rows: Rows }),
]);
export type ClientJsonFrame = z.infer<typeof ClientJsonFrame>;

/** What the plain form says about a terminal. `belay.v1` and tRPC say more. */
export const TerminalSummary = z.object({
  id: TerminalId,
  cwd: z.string(),
  owner: TerminalOwner,
  visible: z.boolean(),
  createdAt: z.int(),
  command: z.array(z.string()).optional(),
});
export type TerminalSummary = z.infer<typeof TerminalSummary>;

export const TerminalEvent = z.object({
  type: z.literal("terminal"),
  event: z.enum(["created", "promoted", "closed", "output"]),
  terminal: TerminalSummary,
  output: z.string().optional(),
});
export type TerminalEvent = z.infer<typeof TerminalEvent>;

export const ServerJsonFrame = z.discriminatedUnion("type", [
  z.object({ type: z.literal("pty:attached"), id: TerminalId, history: z.string().optional() }),
  z.object({ type: z.literal("pty:output"), id: TerminalId, data: z.string() }),
  z.object({ type: z.literal("pty:exit"), id: TerminalId, exitCode: z.int().nullable() }),
  z.object({ type: z.literal("pty:error"), id: z.string().optional(), error: z.string() }),
  TerminalEvent,
]);
export type ServerJsonFrame = z.infer<typeof ServerJsonFrame>;
