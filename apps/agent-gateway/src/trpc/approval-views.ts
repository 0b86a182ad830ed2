import { whatRuns } from "@belay/policy";
import { ApprovalId } from "@belay/protocol";
import { z } from "zod";
import { procedureFor } from "./init.ts";

/** What the console shows of an approval besides the row itself. */
export const approvalViews = {
  /** The programs that its text starts in the end, one line each. */
  runs: procedureFor("viewer")
    .input(z.object({ id: ApprovalId }))
    .query(async ({ ctx, input }) => {
      const { subject } = await ctx.gateway.approvals.get(input.id);
      const { text, cwd, env, stdin, argv, surface } = subject;
      return whatRuns(text, { ...ctx.gateway.policy.current.context, cwd, env, stdin, argv, surface });
    }),
};
