import { z } from "zod";

const Count = z.int().positive().nullable();

/** What the programs of one terminal may use of the machine. Null: as much as there is. */
export const ResourceLimits = z.object({
  /** Processes and threads together. */
  processes: Count,
  memoryBytes: Count,
  /** The number of processors that they may keep busy; 0.5 is half of one. */
  cpus: z.number().positive().nullable(),
  /** For each process. */
  openFiles: Count,
  /** The largest file that a process may write. */
  fileBytes: Count,
  /** How much of its output is recorded. The rest is a gap in the recording. */
  recordingBytes: Count,
});
export type ResourceLimits = z.infer<typeof ResourceLimits>;

/** A limit for which Belay can tell that it was reached. */
export const ReachedLimit = z.enum(["processes", "memory", "file-size"]);
export type ReachedLimit = z.infer<typeof ReachedLimit>;
