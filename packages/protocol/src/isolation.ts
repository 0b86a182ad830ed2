import { z } from "zod";

/** How far an agent's programs are kept away from the machine. */
export const Isolation = z.enum(["none", "sandbox", "container"]);
export type Isolation = z.infer<typeof Isolation>;

/** What programs behind a wall can reach: nothing, what is listed, or whatever the machine can. */
export const NetworkMode = z.enum(["none", "allowlist", "host"]);
export type NetworkMode = z.infer<typeof NetworkMode>;

/** The wall around a terminal, as people are shown it. */
export const TerminalWall = z.object({ isolation: Isolation, network: NetworkMode });
export type TerminalWall = z.infer<typeof TerminalWall>;
