import { TerminalId } from "@belay/protocol";
import { z } from "zod";
import { actorOf } from "../caller.ts";
import { procedureFor, router } from "./init.ts";
import { terminalViews } from "./terminal-views.ts";

export const terminalsRouter = router({
  ...terminalViews,

  list: procedureFor("viewer").query(({ ctx }) => ctx.gateway.terminals.list()),

  get: procedureFor("viewer")
    .input(z.object({ id: TerminalId }))
    .query(({ ctx, input }) => ctx.gateway.terminals.get(input.id)),

  /** Takes a terminal over from its agent, for good (B6). */
  promote: procedureFor("operator")
    .input(z.object({ id: TerminalId }))
    .mutation(async ({ ctx, input }) => {
      await ctx.gateway.terminals.get(input.id);
      await ctx.gateway.audit.append({ type: "terminal.promoted", actor: actorOf(ctx.caller), terminalId: input.id });
      return ctx.gateway.terminals.promote(input.id);
    }),

  kill: procedureFor("operator")
    .input(z.object({ id: TerminalId }))
    .mutation(async ({ ctx, input }) => {
      await ctx.gateway.terminals.get(input.id);
      await ctx.gateway.audit.append({ type: "terminal.killed", actor: actorOf(ctx.caller), terminalId: input.id });
      return ctx.gateway.terminals.kill(input.id, { reason: "killed" });
    }),
});
