import type { RuleSuggestion } from "@belay/policy";
import { ApprovalId, ApprovalScope } from "@belay/protocol";
import { z } from "zod";
import { runsFiles } from "../../../approvals/question.ts";
import type { PreviewState } from "../../../previews/previews.ts";
import { procedureFor, router, setUpProcedureFor } from "../init.ts";

/** The end of the output shown beside an answer; the terminal has the rest. */
const OUTCOME_BYTES = 16 * 1024;

const Decide = z.discriminatedUnion("decision", [
  z.strictObject({
    id: ApprovalId,
    decision: z.literal("approve"),
    scope: ApprovalScope.default({ type: "once" }),
    /** The command to run instead, if the person edited it. */
    command: z.string().min(1).max(65_536).optional(),
    /** Applies what this preview showed, in place of running the command. */
    preview: z.string().max(200).optional(),
  }),
  z.strictObject({ id: ApprovalId, decision: z.literal("deny"), message: z.string().trim().max(2000).optional() }),
]);

/** The beginning of a file, as much as a person reads. */
const MAX_SHOWN_BYTES = 256 * 1024;

export const approvalsRouter = router({
  list: setUpProcedureFor("viewer")
    .input(z.object({ state: z.enum(["pending", "all"]).default("pending") }).default({ state: "pending" }))
    .query(({ ctx, input }) => ctx.gateway.approvals.list(input)),

  get: setUpProcedureFor("viewer")
    .input(z.object({ id: ApprovalId }))
    .query(({ ctx, input }) => ctx.gateway.approvals.get(input.id)),

  /** The agents whose commands the caller may only refuse: the policy leaves the approval to others. */
  refuseOnly: procedureFor("viewer").query(({ ctx }) => ctx.gateway.approvals.refuseOnlyFor(ctx.caller.person.id)),

  /** The outcome of the command, and the end of its output. */
  outcome: procedureFor("viewer")
    .input(z.object({ id: ApprovalId }))
    .query(async ({ ctx: { gateway }, input }) => {
      const { commandId } = await gateway.approvals.get(input.id);
      const entry = await gateway.commands.entry(commandId);
      if (!entry?.terminalId || entry.startPosition === null || entry.endPosition === null)
        return { entry, output: null };
      const { terminalId, startPosition, endPosition } = entry;
      const { text } = await gateway.outputTexts.whole({
        terminalId,
        startPosition: Math.max(startPosition, endPosition - OUTCOME_BYTES),
        endPosition,
      });
      return { entry, output: text };
    }),

  /** The rules that "always" would add; a part without one comes with a reason. */
  suggestRules: procedureFor("viewer")
    .input(z.object({ id: ApprovalId }))
    .query(async ({ ctx, input }): Promise<RuleSuggestion[]> => {
      const approval = await ctx.gateway.approvals.get(input.id);
      return runsFiles(approval) ? [] : ctx.gateway.policyChanges.suggest(approval);
    }),

  /** The content of a file that the command runs and that is approved with it. Null if it is no longer readable. */
  file: procedureFor("operator")
    .input(z.object({ id: ApprovalId, path: z.string().max(4096) }))
    .query(async ({ ctx, input }) => {
      const { subject } = await ctx.gateway.approvals.get(input.id);
      // A file that is only read may be a secret, so it is not shown; the approval is bound to it anyway.
      const named = subject.files.find(({ path, isCode }) => path === input.path && isCode);
      return named ? ctx.gateway.places.readNamedFile(subject, named, MAX_SHOWN_BYTES) : null;
    }),

  /** The verdict on an edited command, in the waiting command's terminal and folder. */
  judgeEdit: procedureFor("viewer")
    .input(z.strictObject({ id: ApprovalId, command: z.string().max(65_536) }))
    .query(({ ctx, input }) => ctx.gateway.approvals.judgeEdit(input.id, input.command)),

  /** What the command would change, as far as that is known by now. */
  preview: procedureFor("operator")
    .input(z.object({ id: ApprovalId }))
    .query(({ ctx, input }): Promise<PreviewState> => ctx.gateway.previews.of(input.id)),

  /** Runs the command on copies of what it would change. An event says when that is done. */
  startPreview: procedureFor("operator")
    .input(z.object({ id: ApprovalId }))
    .mutation(async ({ ctx, input }) => {
      await ctx.gateway.approvals.get(input.id);
      await ctx.gateway.previews.start(input.id, { type: "person", id: ctx.caller.person.id });
    }),

  /** The changed lines of one file of a preview; null if there is no text to compare. */
  previewDiff: procedureFor("operator")
    .input(z.object({ id: ApprovalId, preview: z.string().max(200), file: z.string().max(8192) }))
    .query(({ ctx, input }) => ctx.gateway.previews.diff(input.id, input.preview, input.file)),

  decide: procedureFor("operator")
    .input(Decide)
    .mutation(({ ctx, input }) => {
      const decision =
        input.decision === "approve"
          ? {
              decision: "approve" as const,
              scope: input.scope,
              editedText: input.command ?? null,
              ...(input.preview === undefined ? {} : { preview: input.preview }),
            }
          : { decision: "deny" as const, message: input.message || null };
      return ctx.gateway.approvals.decide(input.id, decision, ctx.caller.person);
    }),
});
