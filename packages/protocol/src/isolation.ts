import { z } from "zod";

/** How far an agent's programs are kept away from the machine. */
export const Isolation = z.enum(["none", "sandbox", "container"]);
export type Isolation = z.infer<typeof Isolation>;
