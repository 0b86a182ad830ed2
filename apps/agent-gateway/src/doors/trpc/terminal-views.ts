import { TerminalId } from "@belay/protocol";
import { z } from "zod";
import { actorOf } from "../../people/caller.ts";
import { findPasswordAsker, lendAnswer } from "../../terminals/lend-answer.ts";
import { procedureFor } from "./init.ts";

const Id = z.object({ id: TerminalId });

/** What the console shows of a terminal besides its output, and the one kind of input it may send to an agent's. */
export const terminalViews = {
  /** Its commands, newest first: what was asked, what was said to it, how it ended and where its output is. */
  commands: procedureFor("viewer")
    .input(z.object({ id: TerminalId, limit: z.int().min(1).max(500).default(200) }))
    .query(({ ctx, input }) => ctx.gateway.commands.timeline(input.id, input.limit)),

  /** The last lines of each of these terminals; closed ones are left out. */
  miniatures: procedureFor("viewer")
    .input(z.object({ ids: z.array(TerminalId).max(100) }))
    .query(async ({ ctx, input }) => {
      const found = await Promise.allSettled(input.ids.map((id) => ctx.gateway.terminals.get(id)));
      return ctx.gateway.miniatures.of(
        found.flatMap((result) => (result.status === "fulfilled" ? [result.value] : [])),
      );
    }),

  /** Who has it open right now. */
  watchers: procedureFor("viewer")
    .input(Id)
    .query(({ ctx, input }) => ctx.gateway.presence.of(input.id)),

  /** Answers one prompt, of a password or not, without taking the terminal over. */
  lendAnswer: procedureFor("operator")
    .input(
      z.strictObject({
        id: TerminalId,
        answer: z
          .string()
          .max(1000)
          .regex(/^[^\r\n]*$/, "is one line"),
        /** True: it is typed only where it is hidden, and is on no record. */
        isSecret: z.boolean().default(true),
        /** The path of the asking program, where the person was warned of it and trusts it all the same. */
        trustedPath: z.string().max(4096).nullable().default(null),
      }),
    )
    .mutation(({ ctx, input }) => lendAnswer(ctx.gateway, { ...input, by: actorOf(ctx.caller) })),

  /** Which program asks for a password; null where none does. */
  passwordAsker: procedureFor("operator")
    .input(Id)
    .query(({ ctx, input }) => findPasswordAsker(ctx.gateway.terminals, input.id)),
};
