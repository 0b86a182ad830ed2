import { z } from "zod";

/** How an agent's programs are isolated from the machine. */
export const Isolation = z.enum(["none", "sandbox", "container"]);
export type Isolation = z.infer<typeof Isolation>;

/** What people choose: one of them, or the strongest that the machine has. */
export const IsolationChoice = z.enum([...Isolation.options, "auto"]);
export type IsolationChoice = z.infer<typeof IsolationChoice>;

/** What programs behind a wall can reach: nothing, listed hosts, or everything the machine can reach. */
export const NetworkMode = z.enum(["none", "allowlist", "host"]);
export type NetworkMode = z.infer<typeof NetworkMode>;

/** The wall around a terminal, as shown to people. */
export const TerminalWall = z.object({ isolation: Isolation, network: NetworkMode });
export type TerminalWall = z.infer<typeof TerminalWall>;
