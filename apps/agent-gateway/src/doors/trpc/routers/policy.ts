import { z } from "zod";
import { actorOf } from "../../../people/caller.ts";
import { procedureFor, router, setUpProcedureFor } from "../init.ts";

const PolicyText = z.string().max(1_000_000);

export const policyRouter = router({
  /** The verdict for a command in a fresh terminal in the workspace; nothing runs. */
  check: setUpProcedureFor("viewer")
    .input(z.object({ command: z.string().max(65_536), profile: z.string().max(64).optional() }))
    .query(({ ctx, input }) => ctx.gateway.policyChanges.check(input.command, input.profile)),

  /** The file in force, and whether the one on disk can be used. */
  get: setUpProcedureFor("viewer").query(({ ctx }) => {
    const { text, version, policy } = ctx.gateway.policy.current;
    const { health } = ctx.gateway.policy;
    return { text, version, health, profiles: Object.keys(policy.settings.profiles) };
  }),

  /** An edit of the file from outside that is not in force until an admin accepts it; null where there is none. */
  waitingEdit: setUpProcedureFor("viewer").query(({ ctx }) => ctx.gateway.policyChanges.waitingEdit()),

  settleEdit: procedureFor("admin")
    .input(z.object({ version: z.string().max(64), decision: z.enum(["accept", "discard"]) }))
    .mutation(async ({ ctx, input: { version, decision } }) => {
      const { policy } = ctx.gateway;
      if (decision === "accept") await policy.acceptEdit(version, actorOf(ctx.caller));
      else await policy.discardEdit(version, actorOf(ctx.caller));
    }),

  save: procedureFor("admin")
    .input(z.object({ text: PolicyText, basedOn: z.string(), note: z.string().trim().max(500).default("") }))
    .mutation(async ({ ctx, input }) => {
      const saving = { by: actorOf(ctx.caller), note: input.note, basedOn: input.basedOn };
      return { version: (await ctx.gateway.policy.save(input.text, saving)).version };
    }),

  versions: setUpProcedureFor("viewer")
    .input(z.object({ limit: z.int().min(1).max(500).default(50) }).default({ limit: 50 }))
    .query(({ ctx, input }) => ctx.gateway.policyChanges.versions(input.limit)),

  diff: setUpProcedureFor("viewer")
    .input(z.object({ from: z.int(), to: z.int().optional() }))
    .query(({ ctx, input }) => ctx.gateway.policyChanges.diff(input.from, input.to)),

  rollBack: procedureFor("admin")
    .input(z.object({ seq: z.int() }))
    .mutation(async ({ ctx, input }) => ({
      version: (await ctx.gateway.policyChanges.rollBack(input.seq, actorOf(ctx.caller))).version,
    })),

  /** What a draft would have said to the last recorded commands. */
  simulate: setUpProcedureFor("admin")
    .input(z.object({ text: PolicyText, lastCommands: z.int().min(1).max(10_000).default(1000) }))
    .query(({ ctx, input }) => ctx.gateway.policyChanges.simulate(input.text, input.lastCommands)),

  proposals: setUpProcedureFor("viewer").query(({ ctx }) => ctx.gateway.policyChanges.proposals()),

  settleProposal: procedureFor("admin")
    .input(z.object({ id: z.string(), decision: z.enum(["accept", "reject"]) }))
    .mutation(({ ctx, input }) =>
      ctx.gateway.policyChanges.settleProposal(input.id, input.decision, actorOf(ctx.caller)),
    ),
});
