import { AgentToolSettings } from "@belay/policy";
import { AgentId, IsolationChoice, MachineName } from "@belay/protocol";
import { z } from "zod";
import { actorOf } from "../../../people/caller.ts";
import { procedureFor, router, setUpProcedureFor } from "../init.ts";

const AgentName = z
  .string()
  .trim()
  .min(1)
  .max(64)
  .regex(/^[\p{L}\p{N}][\p{L}\p{N} ._-]*$/u, "starts with a letter or digit; then letters, digits, spaces, . _ -");

const Choices = z.object({
  profile: z.string().min(1).max(64),
  isolation: IsolationChoice.nullable(),
  maxTerminals: z.int().min(1).max(1000).nullable(),
  expiresAt: z.int().positive().nullable(),
  workspace: z.string().min(1).max(4096).regex(/^\//, "is an absolute path").nullable(),
  ownerId: z.string().min(1).max(64).nullable(),
  /** Names, separated by commas; the first is where its shells start. `gateway` is the gateway's own machine. */
  machines: z
    .string()
    .max(2000)
    .refine(
      (names) => names.split(",").every((name) => MachineName.safeParse(name).success),
      "names, separated by commas",
    ),
});

export const agentsRouter = router({
  list: setUpProcedureFor("viewer").query(({ ctx }) => ctx.gateway.agents.list()),

  /** The profiles, isolations and limits that an admin can choose from. */
  options: procedureFor("viewer").query(({ ctx }) => ctx.gateway.agents.options()),

  /** Its activity since a moment: counts, and the most notable events. */
  activity: procedureFor("viewer")
    .input(z.object({ id: AgentId, since: z.int().min(0) }))
    .query(({ ctx, input }) => ctx.gateway.commands.whileAway(input.since, input.id)),

  add: setUpProcedureFor("admin")
    .input(Choices.partial().extend({ name: AgentName }))
    .mutation(({ ctx: { caller, gateway }, input }) => {
      if (caller.type === "local") gateway.agents.requireModest(input);
      return gateway.agents.add(input, actorOf(caller));
    }),

  update: procedureFor("admin")
    .input(Choices.partial().extend({ name: AgentName }))
    .mutation(({ ctx, input: { name, ...changes } }) => ctx.gateway.agents.update(name, changes, actorOf(ctx.caller))),

  /** The agent's own tool settings (C9), replacing the previous ones. */
  configure: procedureFor("admin")
    .input(z.object({ name: AgentName, settings: AgentToolSettings }))
    .mutation(({ ctx, input }) => ctx.gateway.agents.configure(input.name, input.settings, actorOf(ctx.caller))),

  /** A new token, to replace a lost one. */
  renewToken: procedureFor("admin")
    .input(z.object({ name: AgentName }))
    .mutation(({ ctx, input }) => ctx.gateway.agents.renewToken(input.name, actorOf(ctx.caller))),

  reset: setUpProcedureFor("operator")
    .input(z.object({ name: AgentName }))
    .mutation(({ ctx, input }) => ctx.gateway.agents.reset(input.name, actorOf(ctx.caller))),

  revoke: setUpProcedureFor("admin")
    .input(z.object({ name: AgentName }))
    .mutation(({ ctx, input }) => ctx.gateway.agents.revoke(input.name, actorOf(ctx.caller))),
});
