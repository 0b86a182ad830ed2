import { CoreError, type WaitStrategy } from "@belay/core";
import type { TerminalInfo } from "@belay/protocol";
import type { CallToolResult, McpServer } from "@modelcontextprotocol/server";
import { z } from "zod";
import type { SpawnAct } from "../../../commands/act.ts";
import { describeOutcome } from "../../../commands/describe-outcome.ts";
import type { CommandOutcome } from "../../../commands/outcome.ts";
import { renderOutcome } from "../../../commands/render-outcome.ts";
import { GatewayError } from "../../../errors.ts";
import { newId } from "../../../store/new-id.ts";
import { endTerminal } from "../../../terminals/end-terminal.ts";
import { agentShellRequest, assertShellExists } from "../../../terminals/shells/shell-request.ts";
import { findNamedTerminal } from "../named-terminal.ts";
import { findPendingStart } from "../pending-start.ts";
import { AT_ONCE, pollCommand } from "../poll-command.ts";
import { submitAndHold } from "../submit-and-hold.ts";
import { addTool, REPLY_MS, type ToolCall, type ToolHost } from "../tool-call.ts";
import { typeInto } from "../type-into.ts";
import { DeepOutput, toDeepReply } from "./deep-reply.ts";

const Input = z.strictObject({
  action: z.enum(["start", "execute", "read", "terminate"]),
  session_id: z.string().min(1).max(100).describe("A name that you choose, such as build."),
  command: z
    .string()
    .min(1)
    .optional()
    .describe("For execute: the command, or an answer for a program that waits for input."),
  shell: z.string().min(1).optional().describe("For start: another shell than /bin/bash."),
  timeout_ms: z.int().min(0).max(3_600_000).optional().describe("For execute: how long to wait. Default 10000."),
});
type Input = z.infer<typeof Input>;

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
        "- `execute` runs a `command` in it and waits, 10 seconds unless `timeout_ms` says otherwise; a longer command " +
        'keeps running. While a program waits for input, `execute` answers it; "\\u0003" is Ctrl-C.\n' +
        "- `read` gives the output since your last read, and the state of the command.\n" +
        "- `terminate` ends the shell and everything running in it.\n" +
        "Every command is judged first; some wait for a person (`state` is waiting_approval: read until that changes).",
      input: Input,
      output: DeepOutput,
      annotations: { readOnlyHint: false, destructiveHint: true },
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
  const { agent, gateway, memory } = call;
  if ((await findNamedTerminal(session_id, call))?.open) {
    throw new CoreError("name-taken", `A session "${session_id}" already exists. Use it, or choose another name.`);
  }
  const chosen = shell ?? gateway.agents.toolDefaults(agent).deep.shell;
  const start = gateway.places.startOf(call.agent);
  if (start.machine === undefined) assertShellExists(chosen, gateway.settings.terminalEnv);
  const terminalId = newId("pty");
  const act: SpawnAct = {
    type: "spawn",
    terminalId,
    surface: "execute",
    request: {
      ...start,
      ...agentShellRequest({ shell: chosen, login: false, name: session_id, cwd: start.cwd }),
    },
  };
  memory.nameTerminal(session_id, terminalId);
  return reply(session_id, await submitAndHold(call, { act, origin: "deep" }), call, shell ?? "");
}

async function execute({ session_id, command, timeout_ms }: Input, call: ToolCall): Promise<CallToolResult> {
  if (command === undefined) throw new GatewayError("bad-request", "`command` is missing: what to execute.");
  const { agent, gateway } = call;
  const terminal = await requireSession(session_id, call);
  const timeoutMs = timeout_ms ?? gateway.agents.toolDefaults(agent).deep.executeTimeoutMs;
  const wait: WaitStrategy = { type: "idle", idleMs: null, timeoutMs: call.longestWait(timeoutMs) };
  if (terminal.activity.kind === "busy") {
    // While a program runs it is input for that, as at a keyboard; Ctrl-C needs no Enter.
    const text = command === "\u0003" ? command : `${command}\n`;
    const typing = { terminalId: terminal.id, text, wait, origin: "deep" } as const;
    return reply(session_id, (await typeInto(call, typing)).outcome, call, command);
  }
  const act = { type: "run", terminalId: terminal.id, line: command, wait } as const;
  const outcome = await submitAndHold(call, { act, origin: "deep", limitMs: timeoutMs + REPLY_MS });
  return reply(session_id, outcome, call, command);
}

async function read({ session_id }: Input, call: ToolCall): Promise<CallToolResult> {
  const { agent, gateway, signal } = call;
  const session = await findNamedTerminal(session_id, call);
  if (!session) throw noSession(session_id);
  const pending = session.open ? null : await findPendingStart(session.terminalId, call);
  if (pending) return toDeepReply(session_id, pending.outcome, pending.words);
  const latest = await gateway.commands.latestIn(agent, session.terminalId);
  if (!latest) throw noSession(session_id);
  const outcome = await pollCommand(call, latest.id, AT_ONCE, { signal, maxMs: 0 });
  return reply(session_id, outcome, call, latest.line);
}

async function terminate({ session_id }: Input, call: ToolCall): Promise<CallToolResult> {
  const terminal = await requireSession(session_id, call);
  await endTerminal(call.gateway, call.agent, terminal);
  call.memory.forgetName(session_id);
  const output = { session_id, output: "", exitCode: null, success: true };
  return { content: [{ type: "text", text: `Session ${session_id} is ended.` }], structuredContent: output };
}

async function requireSession(name: string, call: ToolCall): Promise<TerminalInfo> {
  const open = (await findNamedTerminal(name, call))?.open;
  if (open) return open;
  throw noSession(name);
}

function noSession(name: string): GatewayError {
  return new GatewayError(
    "terminal-not-found",
    `No session "${name}". It has ended, or does not exist. Open one with action start.`,
  );
}

async function reply(session: string, outcome: CommandOutcome, call: ToolCall, text: string): Promise<CallToolResult> {
  const { memory, gateway } = call;
  const max = gateway.policy.settings.limits.executeOutputBytes;
  const limits = { maxChars: max, previewChars: max, maxLineChars: max };
  const fromPosition = outcome.status === "ran" ? memory.readFrom(outcome.report.commandId) : 0;
  const shown = await renderOutcome(outcome, gateway.outputTexts, { agentId: call.agent.id, limits, fromPosition });
  if (outcome.status === "ran") memory.hasRead(outcome.report.commandId, outcome.report.endPosition);
  return toDeepReply(session, outcome, describeOutcome(outcome, { text, url: gateway.url() }), shown);
}
