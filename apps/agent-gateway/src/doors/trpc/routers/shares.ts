import { TerminalId } from "@belay/protocol";
import { z } from "zod";
import { actorOf } from "../../../people/caller.ts";
import { procedureFor, router } from "../init.ts";

const MAX_MINUTES = 7 * 24 * 60;

export const sharesRouter = router({
  /** A read-only link to one terminal. The token is in the fragment (#), which browsers never send to a server. */
  create: procedureFor("operator")
    .input(z.strictObject({ terminalId: TerminalId, minutes: z.int().min(1).max(MAX_MINUTES).default(60) }))
    .mutation(async ({ ctx, input }) => {
      await ctx.gateway.terminals.get(input.terminalId);
      const { token, ...link } = await ctx.gateway.shares.create(input.terminalId, input.minutes, actorOf(ctx.caller));
      return { ...link, url: `${ctx.gateway.url()}/shared#${link.terminalId}.${token}` };
    }),

  list: procedureFor("viewer")
    .input(z.strictObject({ terminalId: TerminalId }))
    .query(({ ctx, input }) => ctx.gateway.shares.list(input.terminalId)),

  revoke: procedureFor("operator")
    .input(z.strictObject({ id: z.string().max(64) }))
    .mutation(({ ctx, input }) => ctx.gateway.shares.revoke(input.id, actorOf(ctx.caller))),
});
