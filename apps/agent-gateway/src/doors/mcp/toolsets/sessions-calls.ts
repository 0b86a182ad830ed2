import type { SummaryLimits, WaitStrategy } from "@belay/core";
import { CommandId, type TerminalInfo } from "@belay/protocol";
import type { CallToolResult } from "@modelcontextprotocol/server";
import type { OnceAct } from "../../../commands/act.ts";
import { describeOutcome } from "../../../commands/describe-outcome.ts";
import { type CommandOutcome, isOver } from "../../../commands/outcome.ts";
import { renderOutcome } from "../../../commands/render-outcome.ts";
import { GatewayError } from "../../../errors.ts";
import { endTerminal } from "../../../terminals/end-terminal.ts";
import { findNamedTerminal, type NamedTerminal } from "../named-terminal.ts";
import { pollCommand } from "../poll-command.ts";
import { submitAndHold } from "../submit-and-hold.ts";
import type { ToolCall } from "../tool-call.ts";
import { typeInto } from "../type-into.ts";
import { toListReply } from "./sessions-list.ts";
import { type DescribedCommand, toBashReply, toSessionReply } from "./sessions-reply.ts";

const SESSION_NAME = /^term-(\d+)$/;

export async function bash(command: string, call: ToolCall): Promise<CallToolResult> {
  const { gateway } = call;
  const { bashTimeoutMs } = defaultsOf(call);
  const act: OnceAct = {
    type: "once",
    program: { type: "script", script: command },
    cwd: call.agent.workspace ?? gateway.settings.workspace,
    env: {},
    stdin: null,
    timeoutMs: bashTimeoutMs,
    maxOutputBytes: gateway.policy.settings.limits.executeOutputBytes,
  };
  const outcome = await submitAndHold(call, { act, origin: "sessions", limitMs: bashTimeoutMs });
  return toBashReply(await described(outcome, command, call));
}

export async function start(command: string, stdin: string | undefined, call: ToolCall): Promise<CallToolResult> {
  const { agent, gateway, memory } = call;
  gateway.oneShots.requireTerminals(agent);
  const name = await nextName(call);
  const terminal = await gateway.agentTerminals.open(agent, name);
  memory.nameTerminal(name, terminal.id);
  const session = { terminalId: terminal.id, open: terminal };
  const act = { type: "run", terminalId: terminal.id, line: command, wait: waitOf(call) } as const;
  try {
    const first = await submitAndHold(call, { act, origin: "sessions" });
    const canRead = stdin !== undefined && first.status === "ran" && !isOver(first);
    const outcome = canRead ? await send(session, stdin, call) : first;
    return await reply({ name, session, outcome, text: command, isNew: true }, call);
  } catch (error) {
    // Its agent is not told its name.
    await forget(name, session, call);
    throw error;
  }
}

export async function continueSession(id: string, stdin: string | undefined, call: ToolCall): Promise<CallToolResult> {
  const handle = CommandId.safeParse(id);
  if (handle.success) return lookAtBash(handle.data, call);
  const session = await requireSession(id, call);
  const latest = await call.gateway.commands.latestIn(call.agent, session.terminalId);
  if (!latest) throw noSession(id);
  const outcome = stdin ? await send(session, stdin, call) : await look(latest.id, call);
  return reply({ name: id, session, outcome, text: latest.line, isNew: false }, call);
}

async function lookAtBash(handle: CommandId, call: ToolCall): Promise<CallToolResult> {
  const { line } = await call.gateway.commands.find(call.agent, handle);
  const outcome = await look(handle, call);
  return toSessionReply(await described(outcome, line, call), { id: handle, command: line, isNew: false });
}

function look(id: CommandId, call: ToolCall): Promise<CommandOutcome> {
  const { maxIntervalMs } = defaultsOf(call);
  return call.hold(maxIntervalMs, (hold) => pollCommand(call, id, waitOf(call), hold));
}

async function send({ terminalId }: NamedTerminal, stdin: string, call: ToolCall): Promise<CommandOutcome> {
  return (await typeInto(call, { terminalId, text: stdin, wait: waitOf(call), origin: "sessions" })).outcome;
}

export async function stop(id: string, call: ToolCall): Promise<CallToolResult> {
  const { agent, gateway, memory } = call;
  const handle = CommandId.safeParse(id);
  if (handle.success) await gateway.commands.kill(agent, handle.data);
  else {
    const { open } = await requireSession(id, call);
    if (!open) throw noSession(id);
    await endTerminal(gateway, agent, open);
    memory.forgetName(id);
  }
  return {
    content: [{ type: "text", text: `Terminal session ${id} terminated.` }],
    structuredContent: { sessionId: id, terminated: true },
  };
}

interface Shown {
  name: string;
  session: NamedTerminal;
  outcome: CommandOutcome;
  text: string;
  isNew: boolean;
}

async function reply({ name, session, outcome, text, isNew }: Shown, call: ToolCall): Promise<CallToolResult> {
  const { memory } = call;
  const fromPosition = outcome.status === "ran" ? memory.readFrom(outcome.report.commandId) : 0;
  const told = await described(outcome, text, call, fromPosition);
  if (outcome.status === "ran") memory.hasRead(outcome.report.commandId, outcome.report.endPosition);
  // If only a line of input was refused, its program keeps running.
  const isEnded = outcome.status === "ran" ? isOver(outcome) : told.words.isNotRun && isNew;
  if (isEnded) await forget(name, session, call);
  return toSessionReply(told, { id: name, command: text, isNew });
}

async function described(
  outcome: CommandOutcome,
  text: string,
  call: ToolCall,
  fromPosition = 0,
): Promise<DescribedCommand> {
  const { gateway } = call;
  const words = describeOutcome(outcome, { text, url: gateway.url() });
  const shown = await renderOutcome(outcome, gateway.outputTexts, {
    agentId: call.agent.id,
    limits: limitsOf(call),
    fromPosition,
  });
  return { outcome, words, shown };
}

async function forget(name: string, { open }: NamedTerminal, { agent, gateway, memory }: ToolCall): Promise<void> {
  memory.forgetName(name);
  if (open?.owner === "agent") await endTerminal(gateway, agent, open);
}

async function requireSession(id: string, call: ToolCall): Promise<NamedTerminal> {
  const session = SESSION_NAME.test(id) ? await findNamedTerminal(id, call) : null;
  if (session) return session;
  throw noSession(id);
}

function noSession(id: string): GatewayError {
  return new GatewayError(
    "terminal-not-found",
    `No session "${id}". It has completed, was stopped, or does not exist: terminal_list shows the open ones.`,
  );
}

export async function list(call: ToolCall): Promise<CallToolResult> {
  return toListReply(await Promise.all((await openSessions(call)).map((open) => summarise(open, call))));
}

async function openSessions({ agent, gateway }: ToolCall): Promise<TerminalInfo[]> {
  const all = await gateway.terminals.list();
  return all.filter(({ agentId, name }) => agentId === agent.id && name !== null && SESSION_NAME.test(name));
}

async function summarise(terminal: TerminalInfo, { agent, gateway }: ToolCall) {
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

/** Never restarts, so that an old ID never means a new session. */
async function nextName(call: ToolCall): Promise<string> {
  const used = (await openSessions(call)).map(({ name }) => Number(SESSION_NAME.exec(name ?? "")?.[1] ?? 0));
  return `term-${call.memories.nextTerminalNumber(call.agent.id, used)}`;
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
