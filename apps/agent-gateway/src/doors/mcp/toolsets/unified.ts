import { isQuickCommand } from "@belay/core";
import type { CommandId } from "@belay/protocol";
import type { McpServer } from "@modelcontextprotocol/server";
import type { z } from "zod";
import type { RunAct } from "../../../commands/act.ts";
import { LONGEST_HOLD_MS } from "../../../commands/commands.ts";
import { isOver } from "../../../commands/outcome.ts";
import { GatewayError } from "../../../errors.ts";
import { newId } from "../../../store/new-id.ts";
import { pollCommand } from "../poll-command.ts";
import { showApproval } from "../show-approval.ts";
import { submitAndHold } from "../submit-and-hold.ts";
import { startedTask } from "../tasks.ts";
import { addTool, REPLY_MS, type ToolCall, type ToolHost } from "../tool-call.ts";
import { typeInto } from "../type-into.ts";
import { replyToCall } from "./unified/call.ts";
import { registerChangeTools } from "./unified/changes.ts";
import { type CheckedInput, readInput, UnifiedInput } from "./unified/input.ts";
import { registerOutputTools } from "./unified/output.ts";
import { UnifiedOutput } from "./unified/reply.ts";
import { taskLimits, unifiedDefaults, waitForPoll, waitForRun } from "./unified/wait.ts";

/** A client that can show its user a page does so as soon as a person has to answer. */
const ASK_AFTER_MS = 1_000;
/** How long killing takes at most. */
const UNTIL_KILLED_MS = 5_000;

/** The tool `terminal` and its companions: a thin translation to and from the one path of every command. */
export function registerUnified(server: McpServer, host: ToolHost): void {
  addTool(
    server,
    host,
    {
      name: "terminal",
      title: "Terminal",
      description:
        "Runs shell commands in a terminal that keeps folder, variables and functions.\n" +
        "An exit code is final. A reply with a handle_id is not: send that alone to ask again, with `input` to answer the " +
        "program. waiting_approval and waiting_secret (a password) need a person. Long output is cut in the middle: " +
        "terminal_read.",
      input: UnifiedInput,
      output: UnifiedOutput,
      annotations: { readOnlyHint: false, destructiveHint: true },
      // Without it, Claude Code hides the tool behind a search.
      meta: { "anthropic/alwaysLoad": true },
    },
    (given, call) => serve(given, call),
  );
  registerOutputTools(server, host);
  registerChangeTools(server, host);
}

async function serve(given: z.infer<typeof UnifiedInput>, call: ToolCall) {
  const { input, ignored } = readInput(given);
  const { command, handle_id: handle } = input;
  if (handle !== undefined) {
    if (command !== undefined) {
      throw new GatewayError(
        "bad-request",
        "Send `command` or `handle_id`, not both: a handle refers to a command that is already running.",
      );
    }
    if (input.kill) return kill(handle, input, call);
    return input.input ? answer(handle, input.input, input, call) : poll(handle, input, call);
  }
  if (command === undefined) {
    throw new GatewayError(
      "bad-request",
      "Send `command` to run something, or `handle_id` to poll an earlier command.",
    );
  }
  return run(command, input, ignored, call);
}

async function run(command: string, input: CheckedInput, ignored: string[], call: ToolCall) {
  // The client repeats the call after it has shown its user the page: that is not a second command.
  if (call.startedBefore) return poll(call.startedBefore, { ...input, wait_ms: LONGEST_HOLD_MS }, call);
  if (input.async && isQuickCommand(command, unifiedDefaults(call).quickCommands)) {
    throw new GatewayError(
      "bad-request",
      "This command is too quick for `async`. Send it again without it: `async` is for builds, tests, " +
        "installs and other long work.",
    );
  }
  const choice = { terminalId: input.terminal_id, isNew: input.new, cwd: input.cwd, machine: input.machine };
  const { terminal, isNew, cwd, notes, giveBack } = await call.gateway.agentTerminals.borrow(call.conversation, choice);
  const wait = waitForRun(command, input, call);
  const act = toAct(command, { ...input, cwd }, { terminalId: terminal.id, wait }, call);
  const commandId = newId("cmd");
  const submission = { act, origin: "unified", commandId, onSettled: giveBack } as const;
  if (input.async && call.knowsTasks) {
    await submitAndHold(call, { ...submission, limitMs: 0 });
    return startedTask(call, commandId);
  }
  const limitMs = input.timeout === undefined && wait.type !== "idle" ? LONGEST_HOLD_MS : waitMs(wait, input);
  const early = await submitAndHold(call, { ...submission, limitMs: call.canOpenPages ? ASK_AFTER_MS : limitMs });
  if (call.canOpenPages && early.status === "waiting") return showApproval(early.approval, call.gateway);
  const isDone = !call.canOpenPages || isOver(early);
  const outcome = isDone ? early : await call.hold(limitMs, (hold) => pollCommand(call, commandId, wait, hold));
  const isAsync = input.async === true;
  return replyToCall(outcome, call, {
    shown: { type: "run", command, isBackground: input.background === true, isAsync },
    commandId,
    line: command,
    text: command,
    isAsync,
    ignored,
    notes: isNew && call.conversation.note !== null ? [...notes, call.conversation.note] : notes,
    maxChars: input.max_output_chars,
  });
}

/** How long the call itself is held: a person may take longer to answer than the agent wants to wait. */
function waitMs(wait: ReturnType<typeof waitForRun>, { timeout }: CheckedInput): number {
  return timeout === undefined && wait.type === "idle" ? wait.timeoutMs : (timeout ?? 0) + REPLY_MS;
}

function toAct(
  command: string,
  input: CheckedInput,
  { terminalId, wait }: Pick<RunAct, "terminalId" | "wait">,
  call: ToolCall,
): RunAct {
  const task = taskLimits(input, call);
  return {
    type: "run",
    terminalId,
    line: command,
    wait,
    ...(input.cwd === undefined ? {} : { cwd: input.cwd }),
    ...(input.env === undefined ? {} : { env: input.env }),
    ...(task === undefined ? {} : { task }),
    ...(input.preview ? { isPreview: true as const } : {}),
  };
}

/** The new output of a command, and its state. */
async function poll(handle: CommandId, input: CheckedInput, call: ToolCall, shown: "check" | "cancel" = "check") {
  const { line } = await call.gateway.commands.find(call.agent, handle);
  const wait = waitForPoll(input, call);
  const limitMs = (input.wait_ms ?? 0) + REPLY_MS;
  const outcome = await call.hold(limitMs, (hold) => pollCommand(call, handle, wait, hold));
  return replyToCall(outcome, call, {
    shown: { type: shown },
    commandId: handle,
    line,
    text: line,
    maxChars: input.max_output_chars,
  });
}

async function kill(handle: CommandId, input: CheckedInput, call: ToolCall) {
  await call.gateway.commands.kill(call.agent, handle);
  return poll(handle, { ...input, wait_ms: UNTIL_KILLED_MS }, call, "cancel");
}

/** Answers the program that a command runs. */
async function answer(handle: CommandId, text: string, input: CheckedInput, call: ToolCall) {
  const { terminalId, closedAt, line } = await call.gateway.commands.find(call.agent, handle);
  if (terminalId === null || closedAt !== null) {
    throw new GatewayError("nothing-reads", "That command has ended and cannot read input. Run another one.");
  }
  const wait = waitForRun("", input, call);
  const { outcome, isSecret } = await typeInto(call, { terminalId, text, wait, origin: "unified" });
  return replyToCall(outcome, call, {
    shown: { type: "input", input: isSecret ? "" : text, isSecret },
    commandId: handle,
    line,
    text,
    // After a refusal at a password prompt the program still waits: a person has to answer it.
    waitsForSecret: isSecret,
    maxChars: input.max_output_chars,
  });
}
