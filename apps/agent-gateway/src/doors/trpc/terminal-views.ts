import { TerminalId } from "@belay/protocol";
import { z } from "zod";
import { actorOf } from "../../people/caller.ts";
import { findPasswordAsker, lendAnswer } from "../../terminals/lend-answer.ts";
import { procedureFor } from "./init.ts";

const Id = z.object({ id: TerminalId });

/** What the console shows of a terminal besides its output, and the one kind of input that it may send to an agent's. */
export const terminalViews = {
  /** Its commands, newest first: the request, the verdict, the outcome and the range of the output. */
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

  /** What its programs listen on, and why a port cannot be opened. */
  ports: procedureFor("viewer")
    .input(Id)
    .query(({ ctx, input }) => ctx.gateway.ports.list(input.id)),

  /** A link that shows the person what one of its programs serves. It works once, within a minute. */
  openPort: procedureFor("operator")
    .input(z.object({ id: TerminalId, port: z.int().min(1).max(65_535) }))
    .mutation(({ ctx, input }) => ctx.gateway.ports.open(input.id, input.port, ctx.caller)),

  /** Answers one prompt, for a password or not, without taking the terminal over. */
  lendAnswer: procedureFor("operator")
    .input(
      z.strictObject({
        id: TerminalId,
        answer: z
          .string()
          .max(1000)
          .regex(/^[^\r\n]*$/, "is one line"),
        /** True: typed only while echo is off, and never recorded. */
        isSecret: z.boolean().default(true),
        /** The path of the asking program, if the person was warned about it and trusts it anyway. */
        trustedPath: z.string().max(4096).nullable().default(null),
      }),
    )
    .mutation(({ ctx, input }) => lendAnswer(ctx.gateway, { ...input, by: actorOf(ctx.caller) })),

  /** Which program asks for a password; null if none does. */
  passwordAsker: procedureFor("operator")
    .input(Id)
    .query(({ ctx, input }) => findPasswordAsker(ctx.gateway.terminals, input.id)),
};
