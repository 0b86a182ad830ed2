import { z } from "zod";

/** Resource limits for the programs of one agent's terminal. Null: no limit. */
export const TerminalLimits = z
  .strictObject({
    processes: z
      .int()
      .min(16)
      .nullable()
      .default(4_096)
      .describe("Processes and threads of one terminal. One that stays at the limit is ended."),
    memoryBytes: z
      .int()
      .min(64_000_000)
      .nullable()
      .optional()
      .describe("Memory of one terminal. Left out: three quarters of the machine’s; null: all of it."),
    cpus: z.number().min(0.05).nullable().default(null).describe("Processors that one terminal may keep busy."),
    openFiles: z.int().min(64).nullable().default(null).describe("Files that each program may have open."),
    fileBytes: z
      .int()
      .min(1_000_000)
      .nullable()
      .default(10_000_000_000)
      .describe("The largest file that a program may write, in bytes."),
    recordingBytes: z
      .int()
      .min(1_000_000)
      .nullable()
      .default(2_000_000_000)
      .describe("How much of one terminal’s output is recorded, in bytes; the rest is a gap."),
  })
  .prefault({});
export type TerminalLimits = z.infer<typeof TerminalLimits>;
