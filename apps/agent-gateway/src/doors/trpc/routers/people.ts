import { z } from "zod";
import { GatewayError } from "../../../errors.ts";
import { actorOf, hasRole } from "../../../people/caller.ts";
import { procedureFor, publicProcedure, recoveryProcedureFor, router } from "../init.ts";

const Email = z.email().max(200);
const Role = z.enum(["viewer", "operator", "admin"]);
const Password = z.string().max(1000);

export const peopleRouter = router({
  /** The available ways to sign in, for the sign-in page. */
  signInOptions: publicProcedure.query(({ ctx }) => ({ provider: ctx.gateway.settings.oidc?.name ?? null })),

  /** The OpenID Connect provider and whether it responds; null if none is set up. */
  provider: procedureFor("admin").query(async ({ ctx: { gateway } }) => {
    const { oidc } = gateway.settings;
    if (!oidc) return null;
    const { name, issuer, newRole } = oidc;
    return { name, issuer, newRole, isReachable: (await gateway.people.isIdentityProviderReachable()) === true };
  }),

  /** Display names of the people who answered, watch or froze something. */
  names: procedureFor("viewer").query(async ({ ctx }) =>
    (await ctx.gateway.people.list()).map(({ id, name }) => ({ id, name })),
  ),

  list: recoveryProcedureFor("admin").query(({ ctx }) => ctx.gateway.people.list()),

  add: recoveryProcedureFor("admin")
    .input(z.object({ email: Email, name: z.string().trim().min(1).max(100), role: Role, password: Password }))
    .mutation(({ ctx, input }) => ctx.gateway.people.add(input, actorOf(ctx.caller))),

  remove: procedureFor("admin")
    .input(z.object({ email: Email }))
    .mutation(({ ctx, input }) => ctx.gateway.people.remove(input.email, actorOf(ctx.caller))),

  setRole: recoveryProcedureFor("admin")
    .input(z.object({ email: Email, role: Role }))
    .mutation(({ ctx, input }) => ctx.gateway.people.setRole(input.email, input.role, actorOf(ctx.caller))),

  setPassword: recoveryProcedureFor("admin")
    .input(z.object({ email: Email, password: Password }))
    .mutation(({ ctx, input }) => ctx.gateway.people.setPassword(input.email, input.password, actorOf(ctx.caller))),

  /** A link that creates an account with this role, once. It is shown only once. */
  invite: procedureFor("admin")
    .input(z.object({ email: Email.nullable().default(null), role: Role, days: z.int().min(1).max(30).default(7) }))
    .mutation(async ({ ctx, input }) => {
      const { token, ...invitation } = await ctx.gateway.invitations.create(input, actorOf(ctx.caller));
      const address = invitation.email === null ? "" : `&email=${encodeURIComponent(invitation.email)}`;
      return { ...invitation, link: `${ctx.gateway.url()}/setup#${token}${address}` };
    }),

  invitations: procedureFor("admin").query(({ ctx }) => ctx.gateway.invitations.list()),

  withdrawInvitation: procedureFor("admin")
    .input(z.object({ id: z.string().max(64) }))
    .mutation(({ ctx, input }) => ctx.gateway.invitations.withdraw(input.id, actorOf(ctx.caller))),

  /** The caller's own sessions; an admin may list those of others. */
  sessions: procedureFor("viewer")
    .input(z.object({ personId: z.string().max(64).optional() }).default({}))
    .query(async ({ ctx: { caller, gateway }, input }) => {
      const personId = input.personId ?? caller.person.id;
      if (personId !== caller.person.id && !hasRole(caller, "admin")) throw notYours();
      const sessions = await gateway.people.sessions(personId);
      return sessions.map((session) => ({ ...session, isThisOne: session.id === caller.session.id }));
    }),

  endSession: procedureFor("viewer")
    .input(z.object({ id: z.string().max(64) }))
    .mutation(async ({ ctx: { caller, gateway }, input }) => {
      const found = await gateway.people.findSession(input.id);
      const isOwn = found?.person.id === caller.person.id;
      // For a caller who may not end it, another person's session does not exist.
      if (!found || !(isOwn || hasRole(caller, "admin"))) throw notYours();
      await gateway.people.endSession(input.id, actorOf(caller));
    }),
});

function notYours(): GatewayError {
  return new GatewayError("session-not-found", "You have no such session. An admin can end anyone's.");
}
