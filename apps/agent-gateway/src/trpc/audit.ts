import { z } from "zod";
import { procedureFor, router } from "./init.ts";

export const auditRouter = router({
  search: procedureFor("viewer")
    .input(z.object({ limit: z.int().min(1).max(500).default(100) }).default({ limit: 100 }))
    .query(({ ctx, input }) => ctx.gateway.audit.list(input.limit)),

  /** Whether the record is what was written. Reads all of it. */
  verify: procedureFor("viewer").query(({ ctx }) => ctx.gateway.audit.verify()),
});
