import { CoreError, type WaitStrategy } from "@belay/core";
import { CommandState, type TerminalInfo } from "@belay/protocol";
import type { CallToolResult, McpServer } from "@modelcontextprotocol/server";
import { z } from "zod";
import type { SpawnAct } from "../../../commands/act.ts";
import { type CommandView, LONGEST_HOLD_MS } from "../../../commands/commands.ts";
import { type CommandDescription, describeCommand } from "../../../commands/describe-command.ts";
import { GatewayError } from "../../../errors.ts";
import { newId } from "../../../store/new-id.ts";
import { endTerminal } from "../../../terminals/end-terminal.ts";
import { agentShellRequest } from "../../../terminals/shell-request.ts";
import { findNamedSession } from "../named-session.ts";
import { findPendingStart } from "../pending-start.ts";
import { AT_ONCE, pollCommand } from "../poll-command.ts";
import { addTool, type ToolCall, type ToolHost } from "../tool-call.ts";
import { typeInto } from "../type-into.ts";

const Input = z.strictObject({
  action: z.enum(["start", "execute", "read", "terminate"]),
  session_id: z.string().min(1).max(100).describe("A name that you choose, such as build."),
  command: z.string().min(1).optional().describe("For execute: the command, or an answer for a program that asks."),
  shell: z.string().min(1).optional().describe("For start: another shell than /bin/bash."),
  timeout_ms: z.int().min(0).max(3_600_000).optional().describe("For execute: how long to wait. Default 10000."),
});
type Input = z.infer<typeof Input>;

const Output = z.object({
  session_id: z.string(),
  output: z.string(),
  exitCode: z.int().nullable().describe("Null while it is not done, or where it is not known."),
  success: z.boolean().describe("For execute: done, with exit code 0. Otherwise: served."),
  state: CommandState.optional(),
  cwd: z.string().optional(),
  duration_ms: z.number().optional(),
  position: z.int().optional(),
  output_truncated: z.boolean().optional(),
  full_output_file: z.string().optional(),
  lost_bytes: z.int().optional().describe("Bytes that were printed and are kept nowhere any more."),
  approval_id: z.string().optional(),
  rule: z.string().optional(),
  refused_part: z.string().optional(),
  hint: z.string().optional(),
});
type Output = z.infer<typeof Output>;

/** Named shells that keep their state: one tool, four actions. */
export function registerDeep(server: McpServer, host: ToolHost): void {
  addTool(
    server,
    host,
    {
      name: "deep_terminal",
      title: "Deep terminal",
      description:
        "Shells with a name of your choice, which keep folder, variables, functions and history from call to call.\n" +
        "- `start` opens one in the workspace.\n" +
        "- `execute` runs a `command` in it and waits, 10 seconds unless `timeout_ms` says otherwise; what is not done then " +
        'goes on. While a program asks something, `execute` answers it; "\\u0003" is Ctrl-C.\n' +
        "- `read` gives what was printed since you last looked, and how the command stands.\n" +
        "- `terminate` ends the shell and all that runs in it.\n" +
        "Every command is judged first; some wait for a person (`state` is waiting_approval: read until that changes).",
      input: Input,
      output: Output,
      annotations: { readOnlyHint: false, destructiveHint: true, openWorldHint: true, idempotentHint: false },
    },
    (input, call) => {
      switch (input.action) {
        case "start":
          return start(input, call);
        case "execute":
          return execute(input, call);
        case "read":
          return read(input, call);
        case "terminate":
          return terminate(input, call);
      }
    },
  );
}

async function start({ session_id, shell }: Input, call: ToolCall): Promise<CallToolResult> {
  const { agent, gateway, desk } = call;
  if ((await findNamedSession(session_id, call))?.open) {
    throw new CoreError("name-taken", `There is a session "${session_id}" already. Use it, or choose another name.`);
  }
  const terminalId = newId("pty");
  const act: SpawnAct = {
    type: "spawn",
    terminalId,
    surface: "execute",
    request: agentShellRequest({
      shell: shell ?? gateway.agents.toolDefaults(agent).deep.shell,
      login: false,
      name: session_id,
      cwd: gateway.settings.workspace,
    }),
  };
  desk.startedSession(session_id, terminalId);
  const request = { commandId: newId("cmd"), agent, origin: "deep", act } as const;
  const view = await call.hold(LONGEST_HOLD_MS, (hold) => gateway.commands.submit(request, hold));
  return reply(session_id, view, call, shell ?? "");
}

async function execute({ session_id, command, timeout_ms }: Input, call: ToolCall): Promise<CallToolResult> {
  if (command === undefined) throw new GatewayError("bad-request", "Say what to execute: `command`.");
  const { agent, gateway } = call;
  const terminal = await requireSession(session_id, call);
  const timeoutMs = timeout_ms ?? gateway.agents.toolDefaults(agent).deep.executeTimeoutMs;
  const wait: WaitStrategy = { type: "idle", idleMs: null, timeoutMs: call.longestWait(timeoutMs) };
  if (terminal.activity.kind === "busy") {
    // While something runs it is an answer for that, as it would be at a keyboard; Ctrl-C needs no Enter.
    const text = command === "\u0003" ? command : `${command}\n`;
    const typing = { terminalId: terminal.id, text, wait, origin: "deep" } as const;
    return reply(session_id, (await typeInto(call, typing)).view, call, command);
  }
  const act = { type: "run", terminalId: terminal.id, line: command, wait } as const;
  const request = { commandId: newId("cmd"), agent, origin: "deep", act } as const;
  const view = await call.hold(Math.max(timeoutMs, LONGEST_HOLD_MS), (hold) => gateway.commands.submit(request, hold));
  return reply(session_id, view, call, command);
}

async function read({ session_id }: Input, call: ToolCall): Promise<CallToolResult> {
  const { agent, gateway, signal } = call;
  const session = await findNamedSession(session_id, call);
  if (!session) throw noSession(session_id);
  const pending = session.open ? null : await findPendingStart(session.terminalId, call);
  if (pending) return toReply(session_id, pending);
  const latest = await gateway.commands.latestIn(agent, session.terminalId);
  if (!latest) throw noSession(session_id);
  const view = await pollCommand(call, latest.id, AT_ONCE, { signal, maxMs: 0 });
  return reply(session_id, view, call, latest.line);
}

async function terminate({ session_id }: Input, call: ToolCall): Promise<CallToolResult> {
  const terminal = await requireSession(session_id, call);
  await endTerminal(call.gateway, call.agent, terminal);
  call.desk.endedSession(session_id);
  const output: Output = { session_id, output: "", exitCode: null, success: true };
  return { content: [{ type: "text", text: `Session ${session_id} is ended.` }], structuredContent: output };
}

async function requireSession(name: string, call: ToolCall): Promise<TerminalInfo> {
  const open = (await findNamedSession(name, call))?.open;
  if (open) return open;
  throw noSession(name);
}

function noSession(name: string): GatewayError {
  return new GatewayError(
    "terminal-not-found",
    `No session "${name}". It ended, or never was. Open one with action start.`,
  );
}

async function reply(session: string, view: CommandView, call: ToolCall, text: string): Promise<CallToolResult> {
  const { desk, gateway } = call;
  const max = gateway.policy.settings.limits.executeOutputBytes;
  const described = await describeCommand(view, gateway, {
    limits: { maxChars: max, previewChars: max, maxLineChars: max },
    text,
    ...(view.status === "ran" ? { fromPosition: desk.readFrom(view.report.commandId) } : {}),
  });
  if (described.kind === "ran") desk.hasRead(described.report.commandId, described.report.endPosition);
  return toReply(session, described);
}

function toReply(session_id: string, described: CommandDescription): CallToolResult {
  const output = toOutput(session_id, described);
  const status = output.state ? `[${output.state}, exit code ${output.exitCode ?? "not known yet"}]` : "";
  const rule = output.rule ? `Rule: ${output.rule}` : "";
  const text = [output.output, status, rule, output.hint ?? ""].filter((part) => part !== "").join("\n");
  return { content: [{ type: "text", text }], structuredContent: output, isError: described.kind === "not-run" };
}

function toOutput(session_id: string, described: CommandDescription): Output {
  const bare = { session_id, exitCode: null, success: false } as const;
  switch (described.kind) {
    case "not-run":
      return {
        ...bare,
        output: described.message,
        ...(described.rule === null ? {} : { rule: described.rule }),
        ...(described.part === null ? {} : { refused_part: described.part }),
        ...(described.saferWay === null ? {} : { hint: `Instead: ${described.saferWay}` }),
        ...(described.approvalId === null ? {} : { approval_id: described.approvalId }),
      };
    case "waiting":
      return {
        ...bare,
        output: described.message,
        state: "waiting_approval",
        approval_id: described.approval.id,
        hint: `Read until its state changes. ${described.hint}`,
      };
    case "running":
      return { ...bare, output: "", state: "running", hint: NOT_DONE };
    case "spawned":
      return {
        ...bare,
        output: `Session ${session_id} is open in ${described.terminal.cwd}.`,
        success: true,
        cwd: described.terminal.cwd,
      };
    case "done":
      return {
        ...bare,
        output: described.shown.text,
        exitCode: described.result.exitCode,
        success: described.result.ok,
      };
    case "ran": {
      const { report, shown, isDone } = described;
      return {
        session_id,
        output: shown.text,
        exitCode: isDone ? report.exitCode : null,
        success: isDone && report.exitCode === 0,
        state: report.state,
        cwd: report.cwd,
        duration_ms: report.durationMs,
        position: report.endPosition,
        ...(shown.isTruncated ? { output_truncated: true } : {}),
        ...(shown.fullTextPath === null ? {} : { full_output_file: shown.fullTextPath }),
        ...(shown.lostBytes > 0 ? { lost_bytes: shown.lostBytes } : {}),
        ...(isDone ? {} : { hint: report.state === "waiting_secret" ? ASKS_SECRET : NOT_DONE }),
      };
    }
  }
}

const NOT_DONE = "It is not done. Read it again, answer it with execute if it asks, or terminate the session.";
const ASKS_SECRET = "It asks for a password, which only a person may type. Tell them, and read it again.";
