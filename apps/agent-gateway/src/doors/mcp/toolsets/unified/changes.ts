import { homedir } from "node:os";
import { pathFromText } from "@belay/core";
import { isSecretPath } from "@belay/policy";
import { CommandId } from "@belay/protocol";
import type { McpServer } from "@modelcontextprotocol/server";
import { z } from "zod";
import { describeOutcome } from "../../../../commands/describe-outcome.ts";
import { GatewayError } from "../../../../errors.ts";
import { newId } from "../../../../store/new-id.ts";
import { submitAndHold } from "../../submit-and-hold.ts";
import { addTool, type ToolCall, type ToolHost } from "../../tool-call.ts";

const ChangesOutput = z.object({
  handle_id: z.string(),
  summary: z.string(),
  files: z.array(
    z.object({
      path: z.string(),
      change: z.enum(["created", "changed", "deleted"]),
      added: z.int().nullable(),
      removed: z.int().nullable(),
    }),
  ),
  diff: z.string().optional(),
  note: z.string().optional(),
});

const UndoOutput = z.object({ message: z.string(), handle_id: z.string() });

/** Longer diffs have to be requested file by file. */
const MAX_DIFF_CHARS = 12_000;
const MAX_LISTED = 200;
const NOT_SHOWN = "(not shown: it may hold secrets)";

/** What the agent's own commands changed, and undo. */
export function registerChangeTools(server: McpServer, host: ToolHost): void {
  addTool(
    server,
    host,
    {
      name: "terminal_changes",
      title: "Changes",
      description: "What a command of yours changed in the workspace.",
      input: z.strictObject({
        handle_id: z.string(),
        diff: z.boolean().optional(),
        path: z.string().optional().describe("Only this file."),
      }),
      output: ChangesOutput,
      annotations: { readOnlyHint: true },
    },
    async (input, call) => {
      const shown = await readChanges(CommandId.parse(input.handle_id), input, call);
      return { content: [{ type: "text", text: toText(shown) }], structuredContent: shown };
    },
  );

  addTool(
    server,
    host,
    {
      name: "terminal_undo",
      title: "Undo",
      description:
        "Undoes what a command of yours changed in the workspace (not ignored files, .git, network, databases).",
      input: z.strictObject({
        handle_id: z.string(),
        paths: z.array(z.string()).optional().describe("Only these files."),
        skip_changed: z.boolean().optional().describe("Leave files changed since; else they stop it."),
      }),
      output: UndoOutput,
      annotations: { readOnlyHint: false, destructiveHint: true, openWorldHint: false },
    },
    (input, call) => undo(CommandId.parse(input.handle_id), input, call),
  );
}

async function readChanges(
  id: CommandId,
  { diff, path }: { diff?: boolean | undefined; path?: string | undefined },
  call: ToolCall,
) {
  const { gateway, agent } = call;
  await gateway.commands.find(agent, id);
  const { list, summary, problem, sharedWith, workspace } = await gateway.changeViews.of(id);
  if (!list) throw new GatewayError("no-changes-known", problem ?? "What it changed is unknown.");
  const wanted = list.paths.filter((file) => path === undefined || file.path === path);
  // An agent has to ask before it reads such a file, so its content is not shown here either.
  const isSecret = (file: string) => isSecretPath(`${workspace}/${file}`, homedir());
  const parts: string[] = [];
  for (const file of diff || path !== undefined ? wanted : []) {
    const hunks = isSecret(file.path) ? null : await gateway.changeViews.diff(id, file.id);
    const body = hunks?.map(({ oldStart, newStart, lines }) =>
      [`@@ -${oldStart} +${newStart} @@`, ...lines].join("\n"),
    );
    const why = isSecret(file.path) ? NOT_SHOWN : "(no text to compare)";
    parts.push([`--- ${file.path} (${file.kind})`, ...(body ?? [why])].join("\n"));
  }
  const whole = parts.join("\n");
  const isCut = whole.length > MAX_DIFF_CHARS;
  const notes = [
    ...(isCut ? ["The diff is cut; ask for one `path` at a time."] : []),
    ...(list.unlisted > 0 || wanted.length > MAX_LISTED ? ["There are more files than are listed."] : []),
    ...(sharedWith.length > 0 ? ["Other commands ran at the same time and may have made these changes."] : []),
  ];
  return {
    handle_id: id,
    summary: summary === "" ? "nothing changed" : summary,
    files: wanted.slice(0, MAX_LISTED).map(({ path: name, kind, addedLines, removedLines }) => ({
      path: name,
      change: kind,
      added: addedLines,
      removed: removedLines,
    })),
    ...(parts.length > 0 ? { diff: isCut ? whole.slice(0, MAX_DIFF_CHARS) : whole } : {}),
    ...(notes.length > 0 ? { note: notes.join(" ") } : {}),
  };
}

function toText({ summary, files, diff, note }: z.infer<typeof ChangesOutput>): string {
  const lines = files.map(
    ({ path, change, added, removed }) => `${change} ${path} +${added ?? "?"} −${removed ?? "?"}`,
  );
  return [summary, ...lines, ...(diff ? [diff] : []), ...(note ? [`[${note}]`] : [])].join("\n");
}

/** An act like any other: judged by the files that it writes, asked about if the policy says so, and recorded. */
async function undo(
  undoneId: CommandId,
  { paths, skip_changed }: { paths?: string[] | undefined; skip_changed?: boolean | undefined },
  call: ToolCall,
) {
  const { gateway, agent } = call;
  await gateway.commands.find(agent, undoneId);
  const only = paths?.map(pathFromText) ?? null;
  const range = await gateway.undo.rangeFor({ type: "command", commandId: undoneId }, "");
  const plan = await gateway.undo.plan(range, only);
  const touched = plan.steps.filter(({ action }) => action === "restore" || action === "merge");
  const act = {
    type: "undo",
    undoneId,
    range,
    only,
    paths: touched.map(({ path }) => `${range.workspace}/${path}`),
    fingerprint: plan.fingerprint,
    skipsConflicts: skip_changed ?? false,
  } as const;
  const commandId = newId("cmd");
  const outcome = await submitAndHold(call, { act: { ...act, paths: [...act.paths] }, origin: "unified", commandId });
  const words = describeOutcome(outcome, { text: "", url: gateway.url() });
  const wayBack = outcome.status === "undo" && !words.isNotRun ? [`To undo that: handle_id ${commandId}.`] : [];
  const message = [words.message ?? "", ...words.notes, ...wayBack].filter((part) => part !== "").join(" ");
  return {
    content: [{ type: "text" as const, text: message }],
    structuredContent: { message, handle_id: commandId },
    isError: words.isNotRun,
  };
}
