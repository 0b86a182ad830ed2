import { listRecordings } from "@belay/core";
import { TerminalId } from "@belay/protocol";
import { z } from "zod";
import { actorOf } from "../../../people/caller.ts";
import { procedureFor, router, setUpProcedureFor } from "../init.ts";

export const recordingsRouter = router({
  /** The terminals that have a recording, open or closed. */
  list: setUpProcedureFor("viewer").query(({ ctx }) => listRecordings(ctx.gateway.recordingsDir)),

  /** The same with a description of each, newest first, and their total size. */
  page: procedureFor("viewer")
    .input(z.object({ offset: z.int().min(0).default(0), limit: z.int().min(1).max(200).default(100) }))
    .query(({ ctx, input }) => ctx.gateway.replays.list(input)),

  /** One recording with its marks. The view is recorded. */
  about: procedureFor("viewer")
    .input(z.object({ id: TerminalId }))
    .query(({ ctx, input }) => ctx.gateway.replays.about(input.id, actorOf(ctx.caller))),

  /** A segment, from a time or a position on: the screen at its start, and the output after it. */
  segment: procedureFor("viewer")
    .input(
      z.object({
        id: TerminalId,
        at: z.union([z.strictObject({ timeMs: z.number().min(0) }), z.strictObject({ position: z.int().min(0) })]),
      }),
    )
    .query(({ ctx, input }) => ctx.gateway.replays.segment(input.id, input.at, actorOf(ctx.caller))),

  /** Lines of any recording that contain a text. A call takes a few seconds; `cursor` continues it. */
  search: procedureFor("viewer")
    .input(z.object({ text: z.string().trim().min(2).max(200), cursor: z.int().min(0).default(0) }))
    .query(({ ctx, input }) => ctx.gateway.replays.search(input, actorOf(ctx.caller))),

  /** Overwrites the output between two moments; who did it and why is recorded. */
  redact: procedureFor("admin")
    .input(
      z
        .strictObject({
          id: TerminalId,
          fromMs: z.number().min(0),
          toMs: z.number().min(0),
          reason: z.string().trim().min(3).max(500),
        })
        .refine(({ fromMs, toMs }) => fromMs <= toMs, "fromMs must not be after toMs"),
    )
    .mutation(({ ctx, input: { id, reason, ...stretch } }) =>
      ctx.gateway.redactions.redactRecording(id, stretch, { reason, by: actorOf(ctx.caller) }),
    ),

  /** Records a view of a recording before it is opened. */
  noteLook: setUpProcedureFor("viewer")
    .input(z.object({ id: TerminalId }))
    .mutation(async ({ ctx, input }) => {
      await ctx.gateway.audit.append({ type: "recording.opened", actor: actorOf(ctx.caller), terminalId: input.id });
      return { dir: ctx.gateway.recordingsDir };
    }),
});
