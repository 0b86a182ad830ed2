import { z } from "zod";

/** The name of a machine that runs terminals for the gateway. It is unique, and shown to people and agents. */
export const MachineName = z
  .string()
  .min(1)
  .max(64)
  .regex(/^[a-z0-9][a-z0-9._-]*$/, "starts with a lower-case letter or digit; then lower-case letters, digits, . _ -");
export type MachineName = z.infer<typeof MachineName>;

/** How busy a machine is. */
export const MachineLoad = z.object({
  cpus: z.int(),
  /** Average number of programs that wanted to run, over one minute. */
  load1: z.number(),
  totalMemoryBytes: z.number(),
  freeMemoryBytes: z.number(),
});
export type MachineLoad = z.infer<typeof MachineLoad>;

/** The connection to a machine. */
export const MachineState = z.discriminatedUnion("status", [
  /** Its token was created but has not been used yet. */
  z.object({ status: z.literal("invited"), until: z.int() }),
  z.object({ status: z.literal("connected"), since: z.int() }),
  /**
   * Its terminals keep running, and are found again once it is back. Null: not connected since this gateway started.
   */
  z.object({ status: z.literal("away"), since: z.int().nullable() }),
  z.object({ status: z.literal("revoked"), since: z.int() }),
]);
export type MachineState = z.infer<typeof MachineState>;
