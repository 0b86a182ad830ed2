import { CommandId } from "@belay/protocol";
import { z } from "zod";
import { GatewayError } from "../../../errors.ts";
import { actorOf } from "../../../people/caller.ts";
import { newId } from "../../../store/new-id.ts";
import type { Undone } from "../../../store/tables/changes/command-changes.ts";
import { procedureFor, router, setUpProcedureFor } from "../init.ts";

const Path = z.string().max(4_096);
const Paths = z.array(Path).max(50_000);
/** One command, or everything since a moment in the gateway's own workspace. */
const What = z.union([
  z.strictObject({ commandId: CommandId, paths: Paths.optional() }),
  z.strictObject({ sinceMs: z.int().min(0), paths: Paths.optional() }),
]);

/** What commands changed in their workspace, and undo (X9). */
export const changesRouter = router({
  /** What a command changed. */
  of: setUpProcedureFor("viewer")
    .input(z.strictObject({ commandId: CommandId }))
    .query(({ ctx, input }) => ctx.gateway.changeViews.of(input.commandId)),

  /** The latest commands with changes, newest first. */
  recent: setUpProcedureFor("viewer")
    .input(z.strictObject({ limit: z.int().min(1).max(200).default(20) }))
    .query(({ ctx, input }) => ctx.gateway.changeViews.recent(input.limit)),

  /** The changed lines of one file; null if it is not text. */
  diff: setUpProcedureFor("viewer")
    .input(z.strictObject({ commandId: CommandId, path: Path }))
    .query(({ ctx, input }) => ctx.gateway.changeViews.diff(input.commandId, input.path)),

  picture: setUpProcedureFor("viewer")
    .input(z.strictObject({ commandId: CommandId, path: Path, side: z.enum(["before", "after"]) }))
    .query(({ ctx, input }) => ctx.gateway.changeViews.picture(input.commandId, input.path, input.side)),

  /** What a command would change in the gateway's workspace, tried on a copy. Nothing is previewed that the policy denies. */
  preview: procedureFor("operator")
    .input(z.strictObject({ command: z.string().min(1).max(65_536) }))
    .mutation(async ({ ctx: { gateway, caller }, input: { command } }) => {
      const { decision, matches } = await gateway.policyDrafts.try(command, {});
      if (decision === "deny")
        throw new GatewayError("no-preview", `Not previewed: ${matches[0]?.reason ?? "the policy denies it."}`);
      const commandId = newId("cmd");
      // On record before it runs, even if only on a copy.
      const detail = { line: command };
      await gateway.audit.append({ type: "changes.preview-asked", actor: actorOf(caller), commandId, detail });
      const { workspace } = gateway.settings;
      const program = { type: "script", script: command } as const;
      const limits = { timeoutMs: 0, maxOutputBytes: 0 }; // those of a preview hold
      const act = { type: "once", program, cwd: workspace, env: {}, stdin: null, ...limits } as const;
      return { decision, ...(await gateway.previews.run(commandId, { act, agent: null, cwd: workspace })) };
    }),

  /** The history of the gateway's own workspace. */
  status: setUpProcedureFor("viewer").query(async ({ ctx: { gateway } }) => {
    const workspace = gateway.followed.of({ workspace: null });
    const problem = gateway.followed.whyNot(workspace);
    const history =
      problem === null ? await gateway.histories.status(workspace, gateway.followed.options(workspace)) : null;
    return { workspace, problem, history };
  }),

  /** What an undo would do to the current files. Changes nothing. */
  plan: setUpProcedureFor("viewer")
    .input(What)
    .query(async ({ ctx: { gateway }, input }) => {
      const range = await gateway.undo.rangeFor(undoneBy(input), gateway.followed.of({ workspace: null }));
      return gateway.undo.plan(range, input.paths ?? null);
    }),

  /** Undoes it. Recorded but not judged, because a person decides. */
  undo: procedureFor("operator")
    .input(
      z.intersection(
        What,
        z.object({
          overwrite: Paths.optional(),
          skipsConflicts: z.boolean().optional(),
          fingerprint: z.string().max(100).optional(),
        }),
      ),
    )
    .mutation(async ({ ctx: { gateway, caller }, input }) => {
      const undoes = undoneBy(input);
      const range = await gateway.undo.rangeFor(undoes, gateway.followed.of({ workspace: null }));
      const commandId = newId("cmd");
      const by = actorOf(caller);
      // Recorded before the first file is touched.
      const detail = { undoes, paths: input.paths ?? null, overwrite: input.overwrite ?? [] };
      await gateway.audit.append({ type: "changes.undo-asked", actor: by, commandId, detail });
      const result = await gateway.undo.perform({ commandId, undoes, range, by }, input);
      return { commandId, result };
    }),
});

function undoneBy(input: z.infer<typeof What>): Undone {
  return "commandId" in input
    ? { type: "command", commandId: input.commandId }
    : { type: "since", atMs: input.sinceMs };
}
