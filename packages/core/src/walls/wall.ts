import { TerminalWall } from "@belay/protocol";
import { z } from "zod";

const Paths = z.array(z.string());

/**
 * What a program behind a wall has of this machine. All paths are absolute, and the same inside and outside.
 *
 * The caller decides what is in it; the provider builds it as it stands.
 */
export const Wall = z.object({
  /** What people are told about it. */
  shown: TerminalWall,
  /** Folders that it may change; the first one is the workspace. */
  writable: Paths,
  /** What it may read besides the system itself. One that is not there is left out. */
  readable: Paths,
  /** Inside a writable folder and read-only all the same. */
  frozen: Paths,
  /** The same, and kept so although it does not exist yet; a name that ends in a slash is a folder. */
  reserved: Paths,
  /** Out of sight wherever they lie: Belay's own folders and files. */
  hidden: Paths,
  /** A folder of its own that takes the place of the person's home. */
  home: z.string(),
  /** The variables that pass from Belay's own environment; what the caller itself sets always does. */
  env: z.array(z.string()),
  /** Where its programs may connect to without a question, where the network is a list. */
  hosts: z.array(z.string()),
});
export type Wall = z.infer<typeof Wall>;
