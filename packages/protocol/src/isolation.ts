import { z } from "zod";

/** How an agent's programs are isolated from the machine. */
export const Isolation = z.enum(["none", "sandbox", "container"]);
export type Isolation = z.infer<typeof Isolation>;
export type WallKind = Exclude<Isolation, "none">;

/** What people can choose: one of these, or the strongest that the machine supports. */
export const IsolationChoice = z.enum([...Isolation.options, "auto"]);
export type IsolationChoice = z.infer<typeof IsolationChoice>;

/** What programs behind a wall can reach: nothing, listed hosts, or everything the machine can reach. */
export const NetworkMode = z.enum(["none", "allowlist", "host"]);
export type NetworkMode = z.infer<typeof NetworkMode>;

const Strings = z.array(z.string());

/** What a wall lets in, besides the system, the workspace, the usual tool chains and the built-in lists of hosts. */
export const WallOpens = z.object({
  /** Hosts that need no approval. */
  hosts: Strings,
  readable: Strings,
  writable: Strings,
  /** Variables from Belay's own environment. */
  env: Strings,
});
export type WallOpens = z.infer<typeof WallOpens>;

/** The wall around a terminal, as it was when the terminal started. */
export const TerminalWall = z.object({
  isolation: Isolation,
  network: NetworkMode,
  /** Not set for terminals that an earlier version started. */
  opens: WallOpens.optional(),
});
export type TerminalWall = z.infer<typeof TerminalWall>;
