import { z } from "zod";

const Count = z.int().positive().nullable();

/** What the programs of one terminal may use of the machine. Null: as much as there is. */
export const ResourceLimits = z.object({
  /** Processes and threads, all together. */
  processes: Count,
  memoryBytes: Count,
  /** How many processors they may keep busy; 0.5 is half of one. */
  cpus: z.number().positive().nullable(),
  /** For each process. */
  openFiles: Count,
  /** The largest file that one of them may write. */
  fileBytes: Count,
  /** What is recorded of its output; the rest is a gap in the recording. */
  recordingBytes: Count,
});
export type ResourceLimits = z.infer<typeof ResourceLimits>;

/** A limit that can be seen to have been reached. */
export const ReachedLimit = z.enum(["processes", "memory", "file-size"]);
export type ReachedLimit = z.infer<typeof ReachedLimit>;
