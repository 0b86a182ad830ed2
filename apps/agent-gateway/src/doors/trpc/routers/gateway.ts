import { AgentId } from "@belay/protocol";
import { z } from "zod";
import { examine } from "../../../agents/doctor.ts";
import { GatewayError } from "../../../errors.ts";
import { actorOf } from "../../../people/caller.ts";
import { VERSION } from "../../../version.ts";
import { findNotices, findProblems } from "../../http/health.ts";
import { procedureFor, publicProcedure, router, setUpProcedureFor } from "../init.ts";
import { describeInstallation } from "../installation.ts";

const Scope = z.strictObject({ scope: z.union([z.literal("*"), AgentId]) });

export const gatewayRouter = router({
  /** The signed-in person, or null. The console shows what this person may do. */
  me: publicProcedure.query(({ ctx }) => (ctx.caller.type === "person" ? ctx.caller.person : null)),

  about: setUpProcedureFor("viewer").query(({ ctx }) => ({
    version: VERSION,
    workspace: ctx.gateway.settings.workspace,
    url: ctx.gateway.url(),
  })),

  /** What this machine supports, what is missing and how to get it, and which agents have which wall. */
  doctor: setUpProcedureFor("viewer").query(async ({ ctx: { gateway } }) => ({
    ...examine(await gateway.agents.list(), gateway.policy.settings),
    gateways: gateway.cluster.list(),
  })),

  /** What keeps the gateway from working, and what only needs attention. */
  health: procedureFor("viewer").query(async ({ ctx }) => ({
    problems: await findProblems(ctx.gateway),
    notices: findNotices(ctx.gateway),
    /** All gateways on this database, this one first; empty if it is the only one that there can be. */
    gateways: ctx.gateway.cluster.list(),
  })),

  /** Every gateway that has ever used the database; empty without PostgreSQL, where there is only this one. */
  onRecord: setUpProcedureFor("viewer").query(({ ctx }) => ctx.gateway.retired?.list() ?? []),

  /** A gateway is gone for good: it cannot come back, and the others remove its rows when they are old. */
  retire: setUpProcedureFor("admin")
    .input(z.strictObject({ number: z.int().min(0) }))
    .mutation(({ ctx: { gateway, caller }, input }) => {
      if (gateway.retired) return gateway.retired.retire(input.number, actorOf(caller));
      throw new GatewayError(
        "bad-request",
        "This gateway keeps its data in SQLite, so there is no other one to retire.",
      );
    }),

  /** Paths, the state of the record's signatures, and licences. */
  installation: procedureFor("admin").query(({ ctx }) => describeInstallation(ctx.gateway)),

  /** What agents did since this person's last visit. */
  whileAway: procedureFor("viewer")
    .input(z.object({ since: z.int().min(0) }))
    .query(({ ctx, input }) => ctx.gateway.commands.whileAway(input.since)),

  /** Which agents are frozen; `*` means all of them. */
  frozen: setUpProcedureFor("viewer").query(({ ctx }) => ctx.gateway.freezer.list()),

  freeze: setUpProcedureFor("operator")
    .input(Scope)
    .mutation(({ ctx, input }) => ctx.gateway.freezer.freeze(input.scope, actorOf(ctx.caller))),

  release: procedureFor("operator")
    .input(Scope)
    .mutation(({ ctx, input }) => ctx.gateway.freezer.release(input.scope, actorOf(ctx.caller))),
});
