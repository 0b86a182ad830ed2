import { TerminalId } from "@belay/protocol";
import { z } from "zod";
import { procedureFor, router } from "./init.ts";

export const terminalsRouter = router({
  list: procedureFor("viewer").query(({ ctx }) => ctx.gateway.terminals.list()),

  get: procedureFor("viewer")
    .input(z.object({ id: TerminalId }))
    .query(({ ctx, input }) => ctx.gateway.terminals.get(input.id)),
});
