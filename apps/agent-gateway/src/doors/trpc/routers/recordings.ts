import { listRecordings } from "@belay/core";
import { TerminalId } from "@belay/protocol";
import { z } from "zod";
import { actorOf } from "../../../people/caller.ts";
import { router, setUpProcedureFor } from "../init.ts";

export const recordingsRouter = router({
  /** The terminals that have a recording, open or long closed. */
  list: setUpProcedureFor("viewer").query(({ ctx }) => listRecordings(ctx.gateway.recordingsDir)),

  /** Records that somebody is about to open a recording. */
  noteLook: setUpProcedureFor("viewer")
    .input(z.object({ id: TerminalId }))
    .mutation(async ({ ctx, input }) => {
      await ctx.gateway.audit.append({ type: "recording.opened", actor: actorOf(ctx.caller), terminalId: input.id });
      return { dir: ctx.gateway.recordingsDir };
    }),
});
