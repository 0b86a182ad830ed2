import { z } from "zod";
import { procedureFor, router } from "./init.ts";

export const policyRouter = router({
  /** What the policy in force says to a command, without running it: a fresh terminal in the workspace. */
  check: procedureFor("viewer")
    .input(z.object({ command: z.string().max(65_536), profile: z.string().max(64).optional() }))
    .query(({ ctx, input }) => ctx.gateway.policy.check(input.command, input.profile)),
});
