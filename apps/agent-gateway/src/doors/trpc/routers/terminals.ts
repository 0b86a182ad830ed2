import { TerminalId } from "@belay/protocol";
import { z } from "zod";
import { actorOf } from "../../../people/caller.ts";
import { PersonTerminal, spawnForPerson } from "../../../terminals/person.ts";
import { agentCalls, spawnForAgent } from "../agent-calls.ts";
import { procedureFor, procedureForAgentOr, router } from "../init.ts";
import { terminalViews } from "../terminal-views.ts";

export const terminalsRouter = router({
  ...terminalViews,

  /** People see every open terminal; an agent sees those that it may read. */
  list: procedureForAgentOr("viewer").query(({ ctx: { caller, gateway } }) =>
    caller.type === "agent" ? gateway.sharedTerminals.list(caller.agent) : gateway.terminals.list(),
  ),

  get: procedureForAgentOr("viewer")
    .input(z.object({ id: TerminalId }))
    .query(({ ctx: { caller, gateway }, input }) =>
      caller.type === "agent"
        ? gateway.sharedTerminals.readable(caller.agent, input.id)
        : gateway.terminals.get(input.id),
    ),

  /** Its output as text, from a position on. */
  read: procedureForAgentOr("viewer")
    .input(
      z.object({
        id: TerminalId,
        fromPosition: z.int().min(0).default(0),
        maxBytes: z.int().min(1).max(1_000_000).default(65_536),
      }),
    )
    .query(async ({ ctx: { caller, gateway }, input: { id, fromPosition, maxBytes } }) => {
      if (caller.type === "agent") await gateway.sharedTerminals.readable(caller.agent, id);
      const { bytes, ...slice } = await gateway.terminals.read(id, { fromPosition, maxBytes });
      return { ...slice, text: Buffer.from(bytes).toString("utf8") };
    }),

  /** Opens the caller's own terminal: a person can type into theirs, an agent's is judged before it starts. */
  spawn: procedureForAgentOr("operator")
    .input(PersonTerminal)
    .mutation(({ ctx: { caller, gateway }, input }) =>
      caller.type === "agent"
        ? spawnForAgent(gateway, caller.agent, input)
        : spawnForPerson(gateway, input, actorOf(caller)),
    ),

  ...agentCalls,

  /** Lets an agent read a person's terminal. */
  share: procedureFor("operator")
    .input(z.object({ id: TerminalId, agent: z.string() }))
    .mutation(async ({ ctx, input }) =>
      ctx.gateway.sharedTerminals.share(input.id, await ctx.gateway.agents.find(input.agent), actorOf(ctx.caller)),
    ),

  unshare: procedureFor("operator")
    .input(z.object({ id: TerminalId, agent: z.string() }))
    .mutation(async ({ ctx, input }) =>
      ctx.gateway.sharedTerminals.unshare(input.id, await ctx.gateway.agents.find(input.agent), actorOf(ctx.caller)),
    ),

  /** Takes a terminal over from its agent, for good (B6). */
  promote: procedureFor("operator")
    .input(z.object({ id: TerminalId }))
    .mutation(async ({ ctx, input }) => {
      await ctx.gateway.terminals.get(input.id);
      await ctx.gateway.audit.append({ type: "terminal.promoted", actor: actorOf(ctx.caller), terminalId: input.id });
      return ctx.gateway.terminals.promote(input.id);
    }),

  /** Takes a terminal over from its agent temporarily (W13). */
  borrow: procedureFor("operator")
    .input(z.object({ id: TerminalId }))
    .mutation(({ ctx, input }) => ctx.gateway.loans.borrow(input.id, actorOf(ctx.caller))),

  /** Hands a terminal back that was taken over temporarily. */
  handBack: procedureFor("operator")
    .input(z.object({ id: TerminalId }))
    .mutation(({ ctx, input }) => ctx.gateway.loans.handBack(input.id, actorOf(ctx.caller))),

  kill: procedureFor("operator")
    .input(z.object({ id: TerminalId }))
    .mutation(async ({ ctx, input }) => {
      await ctx.gateway.terminals.get(input.id);
      await ctx.gateway.audit.append({ type: "terminal.killed", actor: actorOf(ctx.caller), terminalId: input.id });
      return ctx.gateway.terminals.kill(input.id, { reason: "killed" });
    }),
});
