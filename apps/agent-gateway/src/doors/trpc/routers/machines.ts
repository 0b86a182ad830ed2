import { MachineName } from "@belay/protocol";
import { z } from "zod";
import { actorOf } from "../../../people/caller.ts";
import { router, setUpProcedureFor } from "../init.ts";

export const machinesRouter = router({
  /** The other machines that run terminals for this gateway, with their state and load. */
  list: setUpProcedureFor("viewer").query(async ({ ctx: { gateway } }) =>
    (await gateway.machines.list()).map((machine) => ({
      ...machine,
      /** The other gateway that it is connected to. People get that gateway's answer; the command line asks only its own. */
      connectedTo: gateway.cluster.gatewayOf(machine.name)?.name ?? null,
    })),
  ),

  /** Makes a token with which one machine can join, once. It is only in this answer. */
  add: setUpProcedureFor("admin")
    .input(
      z.object({
        name: MachineName,
        hours: z
          .int()
          .min(1)
          .max(24 * 30)
          .default(1),
      }),
    )
    .mutation(({ ctx, input: { name, hours } }) => ctx.gateway.machines.add(name, { hours }, actorOf(ctx.caller))),

  /** Ends its connection and its terminals, and refuses it from now on. */
  revoke: setUpProcedureFor("admin")
    .input(z.object({ name: MachineName }))
    .mutation(({ ctx, input }) => ctx.gateway.machines.revoke(input.name, actorOf(ctx.caller))),
});
