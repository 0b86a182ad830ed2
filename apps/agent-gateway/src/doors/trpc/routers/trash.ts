import { emptyTrash, listTrash, measureTrash, restoreFromTrash, type TrashItem } from "@belay/core";
import { z } from "zod";
import { GatewayError } from "../../../errors.ts";
import { actorOf } from "../../../people/caller.ts";
import { procedureFor, router, setUpProcedureFor } from "../init.ts";

export interface ListedTrash extends TrashItem {
  /** The gateway that holds it; not set for the one that answers. */
  gateway?: { id: string; name: string };
}

/** Files that agents removed in the workspace (D9). */
export const trashRouter = router({
  list: setUpProcedureFor("viewer").query(({ ctx }): Promise<ListedTrash[]> => listTrash(ctx.gateway.trashDir)),

  /** Its size. Reads every folder in it. */
  size: procedureFor("viewer").query(async ({ ctx }) => ({ bytes: await measureTrash(ctx.gateway.trashDir) })),

  /** `gateway` is the id of the one that holds it, from the list. */
  restore: procedureFor("operator")
    .input(z.object({ id: z.string().max(512), gateway: z.string().max(100).optional() }))
    .mutation(async ({ ctx, input: { id, gateway } }) => {
      if (gateway !== undefined && gateway !== ctx.gateway.cluster.self)
        throw new GatewayError("gateway-elsewhere", "The gateway that holds this is gone. Look at the trash again.");
      const entry = (await listTrash(ctx.gateway.trashDir)).find((item) => item.id === id);
      const detail = { id, before: "in the trash", after: entry?.path ?? null };
      await ctx.gateway.audit.append({ type: "trash.restored", actor: actorOf(ctx.caller), detail });
      return restoreFromTrash(ctx.gateway.trashDir, id);
    }),

  /** Deletes for good, at every gateway: everything, or items older than this many days. */
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
