import { CommandId } from "@belay/protocol";
import {
  type McpServer,
  MissingRequiredClientCapabilityError,
  ProtocolError,
  ProtocolErrorCode,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { z } from "zod";
import { describeOutcome } from "../../commands/describe-outcome.ts";
import { isOver } from "../../commands/outcome.ts";
import { renderOutcome } from "../../commands/render-outcome.ts";
import { GatewayError } from "../../errors.ts";
import type { CommandRow } from "../../store/tables/commands.ts";
import { knowsTasks, TASKS_EXTENSION } from "./client-abilities.ts";
import { AT_ONCE, pollCommand } from "./poll-command.ts";
import type { ToolHost } from "./tool-call.ts";
import { displayOf } from "./toolsets/unified/display.ts";
import { toReply } from "./toolsets/unified/reply.ts";
import { summaryLimits, unifiedDefaults } from "./toolsets/unified/wait.ts";

const POLL_INTERVAL_MS = 2_000;

// Any text: access is checked before existence.
const OfTask = { params: z.looseObject({ taskId: z.string() }) };

/** Serves requests about tasks. A task is a command with the same id, which grants no access. */
export function registerTasks(server: McpServer, host: ToolHost): void {
  server.server.registerCapabilities({ extensions: { [TASKS_EXTENSION]: {} } });
  server.server.setRequestHandler("tasks/get", OfTask, async ({ taskId }, context) => {
    const row = await findTask(host, taskId, context);
    return { ...(await describeTask(host, row, context.mcpReq.signal)) };
  });
  server.server.setRequestHandler("tasks/cancel", OfTask, async ({ taskId }, context) => {
    const { id } = await findTask(host, taskId, context);
    await host.gateway.commands.kill(host.agent, id);
    return {};
  });
  // A client cannot answer what a task waits for: approvals and passwords need a person.
  server.server.setRequestHandler("tasks/update", OfTask, async ({ taskId }, context) => {
    await findTask(host, taskId, context);
    return {};
  });
}

/** The result of a call that became a task: the client polls the task for the real result. */
export async function startedTask(host: ToolHost, id: CommandId) {
  const row = await host.gateway.commands.find(host.agent, id);
  // The SDK checks every result against the tool's schema, even this placeholder.
  const promise = { content: [], structuredContent: { output: "" } };
  return { ...promise, resultType: "task", status: "working" as const, ...commonOf(row) };
}

async function findTask(host: ToolHost, taskId: string, context: ServerContext): Promise<CommandRow> {
  if (!knowsTasks(context)) {
    throw new MissingRequiredClientCapabilityError({ requiredCapabilities: { extensions: { [TASKS_EXTENSION]: {} } } });
  }
  const id = CommandId.safeParse(taskId);
  try {
    if (id.success) return await host.gateway.commands.find(host.agent, id.data);
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error; // it does not exist, or belongs to another agent
  }
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, `No task "${taskId}".`);
}

async function describeTask(host: ToolHost, row: CommandRow, signal: AbortSignal) {
  const outcome = await pollCommand(host, row.id, AT_ONCE, { signal, maxMs: 0 });
  if (!isOver(outcome) || row.closedAt === null) {
    const statusMessage = outcome.status === "waiting" ? "It waits for a person to approve it." : "It is running.";
    return { ...commonOf(row), status: "working", statusMessage };
  }
  host.memory.hasHeardOf(row.id);
  const words = describeOutcome(outcome, { text: row.line, url: host.gateway.url() });
  const shown = await renderOutcome(outcome, host.gateway.outputTexts, {
    agentId: host.agent.id,
    limits: summaryLimits(host),
  });
  const described = { outcome, words, shown };
  const display = displayOf({ type: "check" }, described, row.line, unifiedDefaults(host));
  const about = {
    display,
    isAsync: false,
    commandId: row.id,
    waitsForSecret: false,
    finished: [],
    ignored: [],
    notes: [],
    isShared: false,
  };
  return { ...commonOf(row), status: "completed", result: toReply(described, about) };
}

function commonOf({ id, openedAt, closedAt }: CommandRow) {
  return {
    taskId: id,
    createdAt: new Date(openedAt).toISOString(),
    lastUpdatedAt: new Date(closedAt ?? openedAt).toISOString(),
    ttlMs: null,
    pollIntervalMs: POLL_INTERVAL_MS,
  };
}
