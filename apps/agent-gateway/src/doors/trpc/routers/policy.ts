import { Surface, securityFileSchema, TeamRule } from "@belay/policy";
import { IsolationChoice } from "@belay/protocol";
import { z } from "zod";
import { actorOf } from "../../../people/caller.ts";
import { procedureFor, router, setUpProcedureFor } from "../init.ts";

const PolicyText = z.string().max(1_000_000);
const FoundRules = z.array(TeamRule).min(1).max(20);
const DAY_MS = 24 * 3_600_000;
const Tried = z.object({
  command: z.string().max(65_536),
  profile: z.string().max(64).optional(),
  surface: Surface.optional(),
  isolation: IsolationChoice.optional(),
});

export const policyRouter = router({
  /** The verdict for a command in a fresh terminal in the workspace; nothing runs. */
  check: setUpProcedureFor("viewer")
    .input(Tried)
    .query(({ ctx, input: { command, ...options } }) => ctx.gateway.policyDrafts.try(command, options)),

  /** The same by a draft of the policy. */
  tryDraft: procedureFor("admin")
    .input(Tried.extend({ text: PolicyText }))
    .query(({ ctx, input: { command, text, ...options } }) => ctx.gateway.policyDrafts.try(command, options, text)),

  /** The errors of a draft, by line and column. */
  checkDraft: procedureFor("admin")
    .input(z.object({ text: PolicyText }))
    .query(({ ctx, input }) => ctx.gateway.policyDrafts.check(input.text)),

  /** The JSON Schema of the file, with a sentence and the default for every setting. */
  schema: procedureFor("viewer").query(() => securityFileSchema()),

  /** The active file, and whether the one on disk is valid. */
  get: setUpProcedureFor("viewer").query(({ ctx }) => {
    const { text, version, policy } = ctx.gateway.policy.current;
    const { health } = ctx.gateway.policy;
    const { profiles, defaultProfile, retention } = policy.settings;
    return {
      text,
      version,
      health,
      profiles: Object.keys(profiles),
      profileSettings: profiles,
      defaultProfile,
      retention,
    };
  }),

  /** An external edit of the file that waits for an admin; null if there is none. */
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

  /** How a draft would have judged the latest recorded commands. */
  simulate: setUpProcedureFor("admin")
    .input(z.object({ text: PolicyText, lastCommands: z.int().min(1).max(10_000).default(1000) }))
    .query(({ ctx, input }) => ctx.gateway.policyDrafts.simulate(input.text, input.lastCommands)),

  /** Rules suggested from past answers: what they would have saved, and what else they would allow. */
  fewerQuestions: procedureFor("admin")
    .input(z.object({ days: z.int().min(1).max(365).default(7) }))
    .query(({ ctx, input }) => ctx.gateway.ruleFinder.find(Date.now() - input.days * DAY_MS)),

  acceptRules: procedureFor("admin")
    .input(z.object({ rules: FoundRules }))
    .mutation(({ ctx, input }) => ctx.gateway.ruleFinder.accept(input.rules, actorOf(ctx.caller))),

  dismissRules: procedureFor("admin")
    .input(z.object({ rules: FoundRules }))
    .mutation(({ ctx, input }) => ctx.gateway.ruleFinder.dismiss(input.rules, actorOf(ctx.caller))),

  proposals: setUpProcedureFor("viewer").query(({ ctx }) => ctx.gateway.policyChanges.proposals()),

  settleProposal: procedureFor("admin")
    .input(z.object({ id: z.string(), decision: z.enum(["accept", "reject"]) }))
    .mutation(({ ctx, input }) =>
      ctx.gateway.policyChanges.settleProposal(input.id, input.decision, actorOf(ctx.caller)),
    ),
});
