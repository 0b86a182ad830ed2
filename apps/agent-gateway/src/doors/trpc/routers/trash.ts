import { emptyTrash, listTrash, measureTrash, restoreFromTrash } from "@belay/core";
import { z } from "zod";
import { actorOf } from "../../../people/caller.ts";
import { procedureFor, router, setUpProcedureFor } from "../init.ts";

/** Files that agents removed in the workspace (D9). */
export const trashRouter = router({
  list: setUpProcedureFor("viewer").query(({ ctx }) => listTrash(ctx.gateway.trashDir)),

  /** Its size. Reads every folder in it. */
  size: procedureFor("viewer").query(async ({ ctx }) => ({ bytes: await measureTrash(ctx.gateway.trashDir) })),

  restore: procedureFor("operator")
    .input(z.object({ id: z.string().max(512) }))
    .mutation(async ({ ctx, input }) => {
      const entry = (await listTrash(ctx.gateway.trashDir)).find(({ id }) => id === input.id);
      const detail = { ...input, before: "in the trash", after: entry?.path ?? null };
      await ctx.gateway.audit.append({ type: "trash.restored", actor: actorOf(ctx.caller), detail });
      return restoreFromTrash(ctx.gateway.trashDir, input.id);
    }),

  /** Deletes for good: everything, or items older than this many days. */
  empty: procedureFor("admin")
    .input(z.object({ olderThanDays: z.number().min(0).optional() }).default({}))
    .mutation(async ({ ctx, input: { olderThanDays } }) => {
      const before = { entries: (await listTrash(ctx.gateway.trashDir)).length };
      const detail = { olderThanDays: olderThanDays ?? null, before };
      await ctx.gateway.audit.append({ type: "trash.emptied", actor: actorOf(ctx.caller), detail });
      const age = olderThanDays === undefined ? {} : { olderThanMs: olderThanDays * 24 * 3_600_000 };
      return emptyTrash(ctx.gateway.trashDir, { now: Date.now(), ...age });
    }),
});
