import { AuditEventType, CommandId } from "@belay/protocol";
import { z } from "zod";
import { describeExport } from "../../../audit/export.ts";
import { AuditFilter } from "../../../audit/search/filter.ts";
import { verifyInSteps } from "../../../audit/views/verify-steps.ts";
import { actorOf } from "../../../people/caller.ts";
import { procedureFor, router, setUpProcedureFor } from "../init.ts";

const Days = z.int().min(1).max(36_500).nullable();

export const auditRouter = router({
  /** The matching rows, a page at a time. */
  search: setUpProcedureFor("operator")
    .input(
      AuditFilter.extend({
        cursor: z.int().nullable().default(null),
        limit: z.int().min(1).max(500).default(100),
        order: z.enum(["newest", "oldest"]).default("newest"),
      }).prefault({}),
    )
    .query(({ ctx, input: { cursor, limit, order, ...filter } }) =>
      ctx.gateway.audit.search(filter, { cursor, limit, order }),
    ),

  /** Every type of row. */
  kinds: procedureFor("operator").query(() => AuditEventType.options),

  /** A row with the hash before it and the signature that covers it. */
  row: procedureFor("operator")
    .input(z.object({ seq: z.int().min(1) }))
    .query(({ ctx, input }) => ctx.gateway.audit.place(input.seq)),

  /** Statistics of the record between two moments. */
  charts: procedureFor("operator")
    .input(
      z
        .object({ from: z.int().min(0), to: z.int().min(0) })
        .refine(({ from, to }) => from < to, "from must be before to"),
    )
    .query(({ ctx, input }) => ctx.gateway.charts(input)),

  /** The same as `verify`, with progress. */
  verifying: procedureFor("operator")
    .input(z.object({}).optional())
    .subscription(({ ctx, signal }) => verifyInSteps(ctx.gateway.audit, signal ?? new AbortController().signal)),

  /** Whether the record has not been altered. Reads all of it. */
  verify: setUpProcedureFor("operator").query(({ ctx }) => ctx.gateway.audit.verify()),

  /** The same, also against a copy of the checkpoint file: its lines, unchanged. */
  verifyAgainst: setUpProcedureFor("operator")
    .input(z.strictObject({ checkpoints: z.array(z.string().max(20_000)).max(5000) }))
    .mutation(({ ctx, input }) => ctx.gateway.audit.verify(input.checkpoints)),

  /** Records an export before it begins. */
  noteExport: setUpProcedureFor("admin")
    .input(z.strictObject({ format: z.enum(["jsonl", "csv"]), filter: AuditFilter.default({}) }))
    .mutation(async ({ ctx, input: { format, filter } }) => {
      const detail = describeExport(format, filter);
      await ctx.gateway.audit.append({ type: "audit.exported", actor: actorOf(ctx.caller), detail });
    }),

  /** Erases the detail of a row, or of a whole command; who did it and why is recorded. */
  redact: procedureFor("admin")
    .input(
      z.strictObject({
        what: z.union([z.strictObject({ seq: z.int().min(1) }), z.strictObject({ commandId: CommandId })]),
        reason: z.string().trim().min(3).max(500),
        /** Also deletes the undo history of the workspace that the command changed. */
        forgetsHistory: z.boolean().default(false),
      }),
    )
    .mutation(({ ctx, input: { what, ...how } }) =>
      ctx.gateway.redactions.redactRows(what, { ...how, by: actorOf(ctx.caller) }),
    ),

  /** Deletes older rows and keeps the proof. Values that are not given come from the policy. */
  prune: procedureFor("admin")
    .input(z.strictObject({ auditDays: Days.optional(), recordingDays: Days.optional() }).default({}))
    .mutation(({ ctx, input: { auditDays, recordingDays } }) => {
      const days = ctx.gateway.policy.settings.retention;
      return ctx.gateway.retention.prune(
        { ...days, auditDays: auditDays ?? days.auditDays, recordingDays: recordingDays ?? days.recordingDays },
        actorOf(ctx.caller),
      );
    }),
});
