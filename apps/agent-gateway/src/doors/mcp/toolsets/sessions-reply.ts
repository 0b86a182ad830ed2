import { CommandState } from "@belay/protocol";
import type { CallToolResult } from "@modelcontextprotocol/server";
import { z } from "zod";
import type { CommandDescription, NotRun } from "../../../commands/describe-command.ts";
import { refuse } from "../tool-call.ts";

const More = z.object({
  state: CommandState.optional(),
  durationMs: z.number().optional(),
  outputTruncated: z.boolean().optional(),
  fullOutputFile: z.string().optional(),
  hint: z.string().optional(),
});

export const BashOutput = z.object({
  output: z.string(),
  exitCode: z.int().nullable().describe("Null while it is not done, or where it is not known."),
  ok: z.boolean(),
  handle: z.string().optional().describe("It is not done: terminal_continue with this as sessionId asks again."),
  ...More.shape,
});

export const SessionOutput = z.object({
  id: z.string(),
  command: z.string(),
  position: z.int(),
  complete: z.boolean(),
  exitCode: z.int().nullable(),
  output: z.string(),
  cwd: z.string().optional(),
  ...More.shape,
});

const Listed = z.object({
  id: z.string(),
  command: z.string(),
  position: z.int(),
  running: z.boolean(),
  uptimeSeconds: z.int(),
});
export const ListOutput = z.object({ sessions: z.array(Listed) });

/** What a one-shot command came to. */
export function toBashReply(described: CommandDescription): CallToolResult {
  const output = toBashOutput(described);
  if (!output) return refuse(refusal(described as NotRun));
  const about = output.handle ? [`Handle: ${output.handle}`, `State: ${output.state}`] : [exitLine(output.exitCode)];
  return toResult([...about, ...(output.hint ? [output.hint] : [])], output);
}

function toBashOutput(described: CommandDescription): z.infer<typeof BashOutput> | null {
  switch (described.kind) {
    case "done": {
      const { exitCode, ok, error } = described.result;
      const durationMs = Math.round(described.result.durationMs);
      const hint = error === null ? {} : { hint: error };
      return {
        output: described.shown.text,
        exitCode,
        ok,
        durationMs,
        state: "completed",
        ...cut(described.shown),
        ...hint,
      };
    }
    case "running":
      return {
        output: "",
        exitCode: null,
        ok: false,
        handle: described.commandId,
        state: "running",
        hint: "It still runs. terminal_continue with this handle as sessionId asks again.",
      };
    case "waiting":
      return {
        output: described.message,
        exitCode: null,
        ok: false,
        handle: described.approval.commandId,
        state: "waiting_approval",
        hint: `terminal_continue with this handle as sessionId asks again. ${described.hint}`,
      };
    default:
      return null;
  }
}

/** How a session stands. */
export function toSessionReply(
  described: CommandDescription,
  { id, command, isNew }: { id: string; command: string; isNew: boolean },
): CallToolResult {
  if (described.kind === "not-run") return refuse(refusal(described));
  const output = toSessionOutput(described, { id, command });
  const head = isNew
    ? ["Terminal Session Started", `ID: ${id}`, `Command: ${command}`, `Position: ${output.position}`]
    : [`Terminal Session: ${id}`, `Position: ${output.position}`, `Complete: ${output.complete}`];
  if (isNew && output.complete) head.push("Complete: true");
  if (output.complete) head.push(exitLine(output.exitCode));
  if (output.state && !output.complete && output.state !== "running") head.push(`State: ${output.state}`);
  if (output.hint) head.push(output.hint);
  return toResult(head, output);
}

function toSessionOutput(
  described: Exclude<CommandDescription, NotRun>,
  { id, command }: { id: string; command: string },
): z.infer<typeof SessionOutput> {
  const bare = { id, command, position: 0, complete: false, exitCode: null };
  switch (described.kind) {
    case "ran": {
      const { report, shown, isDone } = described;
      const hint = hintFor(report.state, described.keptBackCharacters);
      return {
        ...bare,
        position: report.endPosition,
        complete: isDone,
        exitCode: isDone ? report.exitCode : null,
        output: shown.text,
        state: report.state,
        cwd: report.cwd,
        durationMs: report.durationMs,
        ...cut(shown),
        ...(hint === null ? {} : { hint }),
      };
    }
    case "done": {
      const { exitCode, error } = described.result;
      const durationMs = Math.round(described.result.durationMs);
      const position = Buffer.byteLength(described.result.output);
      const hint = error === null ? {} : { hint: error };
      return {
        ...bare,
        position,
        complete: true,
        exitCode,
        output: described.shown.text,
        durationMs,
        ...cut(described.shown),
        ...hint,
      };
    }
    case "waiting": {
      const hint = `terminal_continue asks again. ${described.hint}`;
      return { ...bare, output: described.message, state: "waiting_approval", hint };
    }
    default:
      return { ...bare, output: "", state: "running" };
  }
}

function hintFor(state: CommandState, keptBackCharacters: number): string | null {
  if (keptBackCharacters > 0)
    return `The last ${keptBackCharacters} characters were not sent: nobody read them any more.`;
  if (state === "waiting_secret")
    return "It asks for a password, which only a person may type. Tell them, and look again.";
  if (state === "waiting_input") return "It waits for input: send it with stdin.";
  return null;
}

/** Your open sessions as a table. */
export function toListReply(sessions: z.infer<typeof Listed>[]): CallToolResult {
  const rows = sessions.map(({ id, command, position, running, uptimeSeconds }) => [
    id,
    command.replaceAll(/\s+/g, " ").slice(0, 30),
    String(position),
    running ? "Yes" : "No",
    `${uptimeSeconds}s`,
  ]);
  const table = [["ID", "Command", "Position", "Running", "Uptime"], ...rows].map(toRow);
  const rule = WIDTHS.map((width, at) => "-".repeat(width + (at === 0 ? 1 : 2))).join("|");
  const text = ["Active Terminal Sessions:", table[0], rule, ...table.slice(1)].join("\n");
  return { content: [{ type: "text", text }], structuredContent: { sessions } };
}

const WIDTHS = [12, 30, 8, 7, 6];

function toRow(cells: string[]): string {
  return cells
    .map((cell, at) => cell.padEnd(WIDTHS[at] ?? 0))
    .join(" | ")
    .trimEnd();
}

function refusal({ message, rule, part, saferWay }: NotRun): string {
  return [
    message,
    rule === null ? "" : `Rule: ${rule}`,
    part === null ? "" : `Because of: ${part}`,
    saferWay === null ? "" : `Instead: ${saferWay}`,
  ]
    .filter((line) => line !== "")
    .join("\n");
}

function exitLine(exitCode: number | null): string {
  return `Exit code: ${exitCode ?? "unknown"}`;
}

function cut({ isTruncated, fullTextPath }: { isTruncated: boolean; fullTextPath: string | null }) {
  return {
    ...(isTruncated ? { outputTruncated: true } : {}),
    ...(fullTextPath === null ? {} : { fullOutputFile: fullTextPath }),
  };
}

function toResult(head: string[], output: { output: string } & Record<string, unknown>): CallToolResult {
  return {
    content: [{ type: "text", text: `${head.join("\n")}\n\nOutput:\n${output.output}` }],
    structuredContent: output,
  };
}
