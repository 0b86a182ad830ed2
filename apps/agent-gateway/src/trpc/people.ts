import { z } from "zod";
import { actorOf } from "../caller.ts";
import { procedureFor, router } from "./init.ts";

const Email = z.email().max(200);
const Role = z.enum(["viewer", "operator", "admin"]);
const Password = z.string().max(128);

export const peopleRouter = router({
  /** What to call those who answered, watch or froze something. */
  names: procedureFor("viewer").query(async ({ ctx }) =>
    (await ctx.gateway.people.list()).map(({ id, name }) => ({ id, name })),
  ),

  list: procedureFor("admin").query(({ ctx }) => ctx.gateway.people.list()),

  add: procedureFor("admin")
    .input(z.object({ email: Email, name: z.string().trim().min(1).max(100), role: Role, password: Password }))
    .mutation(({ ctx, input }) => ctx.gateway.people.add(input, actorOf(ctx.caller))),

  setRole: procedureFor("admin")
    .input(z.object({ email: Email, role: Role }))
    .mutation(({ ctx, input }) => ctx.gateway.people.setRole(input.email, input.role, actorOf(ctx.caller))),

  setPassword: procedureFor("admin")
    .input(z.object({ email: Email, password: Password }))
    .mutation(({ ctx, input }) => ctx.gateway.people.setPassword(input.email, input.password, actorOf(ctx.caller))),
});
