import { z } from "zod";
import { actorOf } from "../../../people/caller.ts";
import { procedureFor, router } from "../init.ts";

const Id = z.strictObject({ id: z.string().max(64) });

export const webhooksRouter = router({
  list: procedureFor("admin").query(({ ctx }) => ctx.gateway.webhooks.list()),

  /** What each is called, for the policy that names them by id. */
  names: procedureFor("viewer").query(({ ctx }) => ctx.gateway.webhooks.names()),

  /** When questions are passed on, and to which of them, by the policy in force. */
  passOn: procedureFor("viewer").query(({ ctx }) => ctx.gateway.webhooks.passOn()),

  /** The secret that signs its messages is in this answer and in no later one. */
  add: procedureFor("admin")
    .input(
      z.strictObject({
        name: z.string().trim().max(64).default(""),
        url: z.url().max(2000),
        tellsCommand: z.boolean().default(true),
      }),
    )
    .mutation(({ ctx, input }) => ctx.gateway.webhooks.add(input, actorOf(ctx.caller))),

  test: procedureFor("admin")
    .input(Id)
    .mutation(({ ctx, input }) => ctx.gateway.webhooks.test(input.id)),

  remove: procedureFor("admin")
    .input(Id)
    .mutation(({ ctx, input }) => ctx.gateway.webhooks.remove(input.id, actorOf(ctx.caller))),
});
