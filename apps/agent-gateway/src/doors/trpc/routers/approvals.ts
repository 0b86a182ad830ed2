import { ApprovalId, ApprovalScope } from "@belay/protocol";
import { z } from "zod";
import { procedureFor, router, setUpProcedureFor } from "../init.ts";

const Decide = z.discriminatedUnion("decision", [
  z.strictObject({
    id: ApprovalId,
    decision: z.literal("approve"),
    scope: ApprovalScope.default({ type: "once" }),
    /** What runs instead, where the person changed it. */
    command: z.string().min(1).max(65_536).optional(),
  }),
  z.strictObject({ id: ApprovalId, decision: z.literal("deny"), message: z.string().trim().max(2000).optional() }),
]);

export const approvalsRouter = router({
  list: setUpProcedureFor("viewer")
    .input(z.object({ state: z.enum(["pending", "all"]).default("pending") }).default({ state: "pending" }))
    .query(({ ctx, input }) => ctx.gateway.approvals.list(input)),

  get: setUpProcedureFor("viewer")
    .input(z.object({ id: ApprovalId }))
    .query(({ ctx, input }) => ctx.gateway.approvals.get(input.id)),

  /** The rules that "always" would add; a part without one says why. */
  suggestRules: procedureFor("viewer")
    .input(z.object({ id: ApprovalId }))
    .query(async ({ ctx, input }) => ctx.gateway.policyChanges.suggest(await ctx.gateway.approvals.get(input.id))),

  decide: procedureFor("operator")
    .input(Decide)
    .mutation(({ ctx, input }) => {
      const decision =
        input.decision === "approve"
          ? { decision: "approve" as const, scope: input.scope, editedText: input.command ?? null }
          : { decision: "deny" as const, message: input.message || null };
      return ctx.gateway.approvals.decide(input.id, decision, ctx.caller.person);
    }),
});
