import type { WallContext } from "./behind-wall/openings.ts";
import { emptyMemory, type ShellMemory } from "./language/state/memory.ts";
import type { SecuritySettings, Surface } from "./settings/schema.ts";

/** Belay's own files and processes on this machine. No policy can give an agent access to them. */
export interface OwnResources {
  /** Data folder, sockets, security file, keys: absolute paths; a directory covers everything below it. */
  readonly paths: readonly string[];
  readonly processIds: readonly number[];
  readonly ports: readonly number[];
}

/** Everything besides the text that affects what will run. */
export interface JudgeContext {
  readonly profile: string;
  readonly surface: Surface;
  /** Set when no shell reads the command: then the text is only for display. */
  readonly argv: readonly string[] | null;
  readonly env: Readonly<Record<string, string>>;
  readonly stdin: string | null;
  readonly shell: string;
  readonly cwd: string;
  readonly workspace: string;
  /** Other project folders, from the policy. */
  readonly projectFolders: readonly string[];
  readonly home: string;
  readonly user: string;
  readonly memory: ShellMemory;
  readonly own: OwnResources;
  /** Null if there is no wall. */
  readonly wall: WallContext | null;
}

/** Fills in what is not given: an ordinary user in a fresh terminal, in the default workspace. */
export function completeContext(
  given: Partial<JudgeContext>,
  { defaultProfile, projectFolders }: Pick<SecuritySettings, "defaultProfile" | "projectFolders">,
): JudgeContext {
  const user = given.user ?? "agent";
  const home = given.home ?? (user === "root" ? "/root" : `/home/${user}`);
  const workspace = given.workspace ?? given.cwd ?? `${home}/workspace`;
  return {
    profile: given.profile ?? defaultProfile,
    surface: given.surface ?? "execute",
    argv: given.argv ?? null,
    env: given.env ?? {},
    stdin: given.stdin ?? null,
    shell: given.shell ?? "/bin/bash",
    cwd: given.cwd ?? workspace,
    workspace,
    projectFolders: given.projectFolders ?? projectFolders,
    home,
    user,
    memory: given.memory ?? emptyMemory,
    own: given.own ?? { paths: [], processIds: [], ports: [] },
    wall: given.wall ?? null,
  };
}
