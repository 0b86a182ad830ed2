import { AgentId, HookClient } from "@belay/protocol";
import { z } from "zod";
import { procedureFor, router } from "../init.ts";

/** Conversations of clients that use their own shell and ask before each command. */
export const clientsRouter = router({
  /** The most recently active ones, newest first. */
  sessions: procedureFor("viewer")
    .input(z.object({ limit: z.int().min(1).max(500).default(100) }).prefault({}))
    .query(({ ctx, input }) => ctx.gateway.clientConversations.list(input.limit)),

  /** The commands of one of them, newest first. */
  commands: procedureFor("viewer")
    .input(
      z.object({
        agentId: AgentId,
        client: HookClient,
        session: z.string().max(1000).nullable(),
        limit: z.int().min(1).max(500).default(100),
      }),
    )
    .query(({ ctx, input: { limit, ...key } }) => ctx.gateway.clientConversations.timeline(key, limit)),
});
