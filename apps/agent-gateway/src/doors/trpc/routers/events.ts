import { tracked } from "@trpc/server";
import { z } from "zod";
import { procedureFor, router } from "../init.ts";

export const eventsRouter = router({
  /** The stream of events; a client that reconnects continues where it stopped. */
  all: procedureFor("viewer")
    .input(z.object({ lastEventId: z.string().regex(/^\d+$/).nullish() }).optional())
    .subscription(async function* ({ ctx, input, signal }) {
      const afterId = input?.lastEventId ? Number(input.lastEventId) : null;
      const lost = new AbortController();
      const stopWatching = ctx.gateway.access.watch(ctx.caller, () => lost.abort());
      const ended = signal ? AbortSignal.any([signal, lost.signal]) : lost.signal;
      try {
        for await (const { id, event } of ctx.gateway.events.follow(afterId, ended)) yield tracked(String(id), event);
      } finally {
        stopWatching();
      }
    }),
});
