import { z } from "zod";

/** The last entry of a backup: the list of its files. A backup without one is incomplete. */
export const MANIFEST_NAME = "manifest.json";

export const Manifest = z.object({
  format: z.literal(1),
  /** The version of Belay that made it. */
  belay: z.string(),
  createdAt: z.int(),
  /** The last row of the record in it. */
  lastRow: z.int().min(0),
  /** The SHA-256 of every file, by its name. */
  files: z.record(z.string(), z.string().regex(/^[0-9a-f]{64}$/)),
});
export type Manifest = z.infer<typeof Manifest>;
