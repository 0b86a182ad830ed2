import { TerminalWall } from "@belay/protocol";
import { z } from "zod";

const Paths = z.array(z.string());

/** The container that programs run in. */
export const ContainerSpec = z.object({
  program: z.enum(["podman", "docker"]),
  /** The OCI runtime; null: the engine's own choice. */
  runtime: z.string().nullable(),
  image: z.string(),
  /** `uid:gid`; null: the user that Belay runs as. */
  user: z.string().nullable(),
  readOnlyRoot: z.boolean(),
  /** Whether the next container is started before it is requested. */
  startAhead: z.boolean().optional(),
});
export type ContainerSpec = z.infer<typeof ContainerSpec>;

/**
 * Which parts of this machine a program behind a wall sees. All paths are absolute, and the same inside and outside.
 *
 * The caller decides; the provider only builds it.
 */
export const Wall = z.object({
  /** The description for people. */
  shown: TerminalWall,
  /** Writable folders; the first one is the workspace. */
  writable: Paths,
  /** What else it may read besides the system itself. Missing paths are skipped. */
  readable: Paths,
  /** Read-only although inside a writable folder. */
  frozen: Paths,
  /** The same, and reserved if it does not exist yet; a name that ends in a slash is a folder. */
  reserved: Paths,
  /** Hidden everywhere: Belay's own folders and files. */
  hidden: Paths,
  /** A private folder that replaces the person's home. */
  home: z.string(),
  /** The variables of Belay's own environment that are passed on; those that the caller sets always are. */
  env: z.array(z.string()),
  /** Hosts that its programs may connect to without a question, if the network is an allowlist. */
  hosts: z.array(z.string()),
  /** If the wall is a container: which one. */
  container: ContainerSpec.optional(),
});
export type Wall = z.infer<typeof Wall>;
