import { listRecordings } from "@belay/core";
import { TerminalId } from "@belay/protocol";
import { z } from "zod";
import { actorOf } from "../../../people/caller.ts";
import { procedureFor, router, setUpProcedureFor } from "../init.ts";

export const recordingsRouter = router({
  /** The terminals that have a recording, open or long closed. */
  list: setUpProcedureFor("viewer").query(({ ctx }) => listRecordings(ctx.gateway.recordingsDir)),

  /** The same with what each is about, newest first, and the room that all of them take. */
  page: procedureFor("viewer")
    .input(z.object({ offset: z.int().min(0).default(0), limit: z.int().min(1).max(200).default(100) }))
    .query(({ ctx, input }) => ctx.gateway.replays.list(input)),

  /** One recording with the places to jump to. Looking at it is on record. */
  about: procedureFor("viewer")
    .input(z.object({ id: TerminalId }))
    .query(({ ctx, input }) => ctx.gateway.replays.about(input.id, actorOf(ctx.caller))),

  /** A piece of it, from a time or a position on: the screen as it was, and what came. */
  segment: procedureFor("viewer")
    .input(
      z.object({
        id: TerminalId,
        at: z.union([z.strictObject({ timeMs: z.number().min(0) }), z.strictObject({ position: z.int().min(0) })]),
      }),
    )
    .query(({ ctx, input }) => ctx.gateway.replays.segment(input.id, input.at, actorOf(ctx.caller))),

  /** Lines of any recording that contain a text. A call takes a few seconds; `cursor` goes on. */
  search: procedureFor("viewer")
    .input(z.object({ text: z.string().trim().min(2).max(200), cursor: z.int().min(0).default(0) }))
    .query(({ ctx, input }) => ctx.gateway.replays.search(input, actorOf(ctx.caller))),

  /** Overwrites what was printed between two moments; who did it and why stays on record. */
  redact: procedureFor("admin")
    .input(
      z
        .strictObject({
          id: TerminalId,
          fromMs: z.number().min(0),
          toMs: z.number().min(0),
          reason: z.string().trim().min(3).max(500),
        })
        .refine(({ fromMs, toMs }) => fromMs <= toMs, "fromMs is not after toMs"),
    )
    .mutation(({ ctx, input: { id, reason, ...stretch } }) =>
      ctx.gateway.redactions.redactRecording(id, stretch, { reason, by: actorOf(ctx.caller) }),
    ),

  /** Records that somebody is about to open a recording. */
  noteLook: setUpProcedureFor("viewer")
    .input(z.object({ id: TerminalId }))
    .mutation(async ({ ctx, input }) => {
      await ctx.gateway.audit.append({ type: "recording.opened", actor: actorOf(ctx.caller), terminalId: input.id });
      return { dir: ctx.gateway.recordingsDir };
    }),
});
