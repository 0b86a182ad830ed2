import { z } from "zod";
import { actorOf } from "../caller.ts";
import { procedureFor, router } from "./init.ts";

const AgentName = z
  .string()
  .trim()
  .min(1)
  .max(64)
  .regex(/^[\p{L}\p{N}][\p{L}\p{N} ._-]*$/u, "starts with a letter or digit; then letters, digits, spaces, . _ -");

export const agentsRouter = router({
  list: procedureFor("viewer").query(({ ctx }) => ctx.gateway.agents.list()),

  add: procedureFor("admin")
    .input(z.object({ name: AgentName, profile: z.string().min(1).max(64).default("standard") }))
    .mutation(({ ctx, input }) => ctx.gateway.agents.add(input, actorOf(ctx.caller))),

  revoke: procedureFor("admin")
    .input(z.object({ name: AgentName }))
    .mutation(({ ctx, input }) => ctx.gateway.agents.revoke(input.name, actorOf(ctx.caller))),
});
