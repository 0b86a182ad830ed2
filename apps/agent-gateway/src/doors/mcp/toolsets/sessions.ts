import type { SummaryLimits, WaitStrategy } from "@belay/core";
import { CommandId, type TerminalInfo } from "@belay/protocol";
import type { CallToolResult, McpServer } from "@modelcontextprotocol/server";
import { z } from "zod";
import type { OnceAct } from "../../../commands/act.ts";
import { type CommandView, LONGEST_HOLD_MS } from "../../../commands/commands.ts";
import { type CommandDescription, describeCommand } from "../../../commands/describe-command.ts";
import { isFinal } from "../../../commands/outcome.ts";
import { GatewayError } from "../../../errors.ts";
import { newId } from "../../../store/new-id.ts";
import { endTerminal } from "../../../terminals/end-terminal.ts";
import { findNamedSession, type NamedSession } from "../named-session.ts";
import { pollCommand } from "../poll-command.ts";
import { addTool, type ToolCall, type ToolHost } from "../tool-call.ts";
import { typeInto } from "../type-into.ts";
import { BashOutput, ListOutput, SessionOutput, toBashReply, toListReply, toSessionReply } from "./sessions-reply.ts";

const Command = z.string().min(1).describe("The shell command to run.");
const SessionId = z.string().min(1).describe("The ID that terminal_start gave, or the handle of a bash that goes on.");
const RUNS = { readOnlyHint: false, destructiveHint: true, openWorldHint: true, idempotentHint: false };
const SESSION_NAME = /^term-(\d+)$/;

/** One-shot commands, and sessions that go on: replies are the texts that agents of this toolset know. */
export function registerSessions(server: McpServer, host: ToolHost): void {
  addTool(
    server,
    host,
    {
      name: "bash",
      title: "Run a command",
      description:
        "Runs a shell command in the workspace, by itself, and gives its exit code and output; nothing of it stays. For " +
        "servers, prompts and REPLs use terminal_start. A command that takes longer than the call comes back with a handle: " +
        "terminal_continue with that as sessionId asks again. A command that is not known to be safe waits for a person.",
      input: z.strictObject({ command: Command }),
      output: BashOutput,
      annotations: RUNS,
    },
    ({ command }, call) => bash(command, call),
  );

  addTool(
    server,
    host,
    {
      name: "terminal_start",
      title: "Start a session",
      description:
        "Starts a command that goes on in a session of its own, such as a server or a REPL, and returns its first output " +
        "with an ID. `stdin` is sent once it reads. Go on with terminal_continue, end it with terminal_stop.",
      input: z.strictObject({
        command: Command,
        stdin: z.string().optional().describe("What to send to it first, with its Enter."),
      }),
      output: SessionOutput,
      annotations: RUNS,
    },
    ({ command, stdin }, call) => start(command, stdin, call),
  );

  addTool(
    server,
    host,
    {
      name: "terminal_continue",
      title: "Go on with a session",
      description:
        'Sends `stdin` to a session (with its Enter: "y\\n"), or only looks, and returns what was printed since the last ' +
        "look. `Complete: true` means that its command has ended, and the session with it.",
      input: z.strictObject({
        sessionId: SessionId,
        stdin: z.string().optional().describe("What to send to it. Without it, this only looks."),
      }),
      output: SessionOutput,
      annotations: RUNS,
    },
    ({ sessionId, stdin }, call) => goOn(sessionId, stdin, call),
  );

  addTool(
    server,
    host,
    {
      name: "terminal_stop",
      title: "End a session",
      description: "Ends a session and all that runs in it.",
      input: z.strictObject({ sessionId: SessionId }),
      output: z.object({ sessionId: z.string(), terminated: z.literal(true) }),
      annotations: { readOnlyHint: false, destructiveHint: true, openWorldHint: false, idempotentHint: false },
    },
    ({ sessionId }, call) => stop(sessionId, call),
  );

  addTool(
    server,
    host,
    {
      name: "terminal_list",
      title: "List sessions",
      description: "Lists your open sessions with their command, position and uptime.",
      input: z.strictObject({}),
      output: ListOutput,
      annotations: { readOnlyHint: true, openWorldHint: false, idempotentHint: true },
    },
    async (_, call) => toListReply(await Promise.all((await openSessions(call)).map((open) => describe(open, call)))),
  );
}

async function bash(command: string, call: ToolCall): Promise<CallToolResult> {
  const { agent, gateway } = call;
  const { bashTimeoutMs } = defaultsOf(call);
  const act: OnceAct = {
    type: "once",
    program: { type: "script", script: command },
    cwd: gateway.settings.workspace,
    env: {},
    stdin: null,
    timeoutMs: bashTimeoutMs,
    maxOutputBytes: gateway.policy.settings.limits.executeOutputBytes,
  };
  const request = { commandId: newId("cmd"), agent, origin: "sessions", act } as const;
  const view = await call.hold(bashTimeoutMs, (hold) => gateway.commands.submit(request, hold));
  return toBashReply(await describeCommand(view, gateway, { limits: limitsOf(call), text: command }));
}

async function start(command: string, stdin: string | undefined, call: ToolCall): Promise<CallToolResult> {
  const { agent, gateway, desk } = call;
  const name = await nextName(call);
  const terminal = await gateway.agentTerminals.open(agent, name);
  desk.startedSession(name, terminal.id);
  const session = { terminalId: terminal.id, open: terminal };
  const act = { type: "run", terminalId: terminal.id, line: command, wait: waitOf(call) } as const;
  const request = { commandId: newId("cmd"), agent, origin: "sessions", act } as const;
  try {
    const view = await call.hold(LONGEST_HOLD_MS, (hold) => gateway.commands.submit(request, hold));
    const canRead = stdin !== undefined && view.status === "ran" && !isFinal(view.report);
    const now = canRead ? await send(session, stdin, call) : view;
    return await reply({ name, session, view: now, text: command, isNew: true }, call);
  } catch (error) {
    // Its agent does not learn its name.
    await forget(name, session, call);
    throw error;
  }
}

async function goOn(id: string, stdin: string | undefined, call: ToolCall): Promise<CallToolResult> {
  const handle = CommandId.safeParse(id);
  if (handle.success) return lookAtBash(handle.data, call);
  const session = await requireSession(id, call);
  const latest = await call.gateway.commands.latestIn(call.agent, session.terminalId);
  if (!latest) throw noSession(id);
  const view = stdin ? await send(session, stdin, call) : await look(latest.id, call);
  return reply({ name: id, session, view, text: latest.line, isNew: false }, call);
}

async function lookAtBash(handle: CommandId, call: ToolCall): Promise<CallToolResult> {
  const { line } = await call.gateway.commands.find(call.agent, handle);
  const view = await look(handle, call);
  const described = await describeCommand(view, call.gateway, { limits: limitsOf(call), text: line });
  return toSessionReply(described, { id: handle, command: line, isNew: false });
}

function look(id: CommandId, call: ToolCall): Promise<CommandView> {
  const { maxIntervalMs } = defaultsOf(call);
  return call.hold(maxIntervalMs, (hold) => pollCommand(call, id, waitOf(call), hold));
}

async function send({ terminalId }: NamedSession, stdin: string, call: ToolCall): Promise<CommandView> {
  return (await typeInto(call, { terminalId, text: stdin, wait: waitOf(call), origin: "sessions" })).view;
}

async function stop(id: string, call: ToolCall): Promise<CallToolResult> {
  const { agent, gateway, desk } = call;
  const handle = CommandId.safeParse(id);
  if (handle.success) await gateway.commands.kill(agent, handle.data);
  else {
    const { open } = await requireSession(id, call);
    if (!open) throw noSession(id);
    await endTerminal(gateway, agent, open);
    desk.endedSession(id);
  }
  return {
    content: [{ type: "text", text: `Terminal session ${id} terminated.` }],
    structuredContent: { sessionId: id, terminated: true },
  };
}

interface Shown {
  name: string;
  session: NamedSession;
  view: CommandView;
  text: string;
  isNew: boolean;
}

async function reply({ name, session, view, text, isNew }: Shown, call: ToolCall): Promise<CallToolResult> {
  const { gateway, desk } = call;
  const id = view.status === "ran" ? view.report.commandId : null;
  const fromPosition = id ? desk.readFrom(id) : 0;
  const described = await describeCommand(view, gateway, { limits: limitsOf(call), text, fromPosition });
  if (described.kind === "ran") desk.hasRead(described.report.commandId, described.report.endPosition);
  if (isOver(described, isNew)) await forget(name, session, call);
  return toSessionReply(described, { id: name, command: text, isNew });
}

/** Whether nothing will come of the session any more. What only a line of input was refused leaves its program running. */
function isOver(described: CommandDescription, isNew: boolean): boolean {
  return (described.kind === "ran" && described.isDone) || (described.kind === "not-run" && isNew);
}

async function forget(name: string, { open }: NamedSession, { agent, gateway, desk }: ToolCall): Promise<void> {
  desk.endedSession(name);
  if (open?.owner === "agent") await endTerminal(gateway, agent, open);
}

async function requireSession(id: string, call: ToolCall): Promise<NamedSession> {
  const session = SESSION_NAME.test(id) ? await findNamedSession(id, call) : null;
  if (session) return session;
  throw noSession(id);
}

function noSession(id: string): GatewayError {
  return new GatewayError(
    "terminal-not-found",
    `No session "${id}". It has completed, was stopped, or never was: terminal_list shows those that are open.`,
  );
}

async function openSessions({ agent, gateway }: ToolCall): Promise<TerminalInfo[]> {
  const all = await gateway.terminals.list();
  return all.filter(({ agentId, name }) => agentId === agent.id && name !== null && SESSION_NAME.test(name));
}

async function describe(terminal: TerminalInfo, { agent, gateway }: ToolCall) {
  const latest = await gateway.commands.latestIn(agent, terminal.id);
  const command = terminal.activity.kind === "busy" ? terminal.activity.line : (latest?.line ?? "");
  return {
    id: terminal.name ?? terminal.id,
    command,
    position: terminal.position,
    running: terminal.activity.kind === "busy",
    uptimeSeconds: Math.max(0, Math.round((Date.now() - terminal.createdAt) / 1000)),
  };
}

/** Counts on, so that an old ID never means a new session. */
async function nextName(call: ToolCall): Promise<string> {
  const used = (await openSessions(call)).map(({ name }) => Number(SESSION_NAME.exec(name ?? "")?.[1] ?? 0));
  return `term-${call.desk.nextSessionNumber(used)}`;
}

function defaultsOf({ agent, gateway }: ToolCall) {
  return gateway.agents.toolDefaults(agent).sessions;
}

function waitOf(call: ToolCall): WaitStrategy {
  const { minIntervalMs, settleIntervalMs, maxIntervalMs } = defaultsOf(call);
  return { type: "settle", minMs: minIntervalMs, settleMs: settleIntervalMs, maxMs: call.longestWait(maxIntervalMs) };
}

function limitsOf(call: ToolCall): SummaryLimits {
  const max = defaultsOf(call).cropOutputCharacters;
  return { maxChars: max, previewChars: max, maxLineChars: max };
}
