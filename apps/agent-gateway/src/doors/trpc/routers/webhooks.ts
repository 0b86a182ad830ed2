import { z } from "zod";
import { actorOf } from "../../../people/caller.ts";
import { procedureFor, router } from "../init.ts";

const Id = z.strictObject({ id: z.string().max(64) });

export const webhooksRouter = router({
  list: procedureFor("admin").query(({ ctx }) => ctx.gateway.webhooks.list()),

  /** The signing secret is only in this answer, and never shown again. */
  add: procedureFor("admin")
    .input(z.strictObject({ url: z.url().max(2000), tellsCommand: z.boolean().default(true) }))
    .mutation(({ ctx, input }) => ctx.gateway.webhooks.add(input, actorOf(ctx.caller))),

  test: procedureFor("admin")
    .input(Id)
    .mutation(({ ctx, input }) => ctx.gateway.webhooks.test(input.id)),

  remove: procedureFor("admin")
    .input(Id)
    .mutation(({ ctx, input }) => ctx.gateway.webhooks.remove(input.id, actorOf(ctx.caller))),
});
