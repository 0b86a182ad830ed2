import { z } from "zod";
import { procedureFor, router } from "./init.ts";

export const auditRouter = router({
  search: procedureFor("viewer")
    .input(z.object({ limit: z.int().min(1).max(500).default(100) }).default({ limit: 100 }))
    .query(({ ctx, input }) => ctx.gateway.audit.list(input.limit)),
});
