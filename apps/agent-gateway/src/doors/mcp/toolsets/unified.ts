import { type CallToShow, isQuickCommand, isSlowCommand, type TaskLimits, type WaitStrategy } from "@belay/core";
import { CommandId } from "@belay/protocol";
import type { McpServer } from "@modelcontextprotocol/server";
import { z } from "zod";
import type { RunAct } from "../../../commands/act.ts";
import { type CommandView, type Hold, LONGEST_HOLD_MS } from "../../../commands/commands.ts";
import { describeCommand } from "../../../commands/describe-command.ts";
import { isFinal } from "../../../commands/outcome.ts";
import { GatewayError } from "../../../errors.ts";
import { newId } from "../../../store/new-id.ts";
import { pollCommand } from "../poll-command.ts";
import { showApproval } from "../show-approval.ts";
import { startedTask } from "../tasks.ts";
import { addTool, type ToolCall, type ToolHost } from "../tool-call.ts";
import { typeInto } from "../type-into.ts";
import { displayOf } from "./unified-display.ts";
import { summaryLimits, unifiedDefaults } from "./unified-limits.ts";
import { registerOutputTools } from "./unified-output.ts";
import { toReply, UnifiedOutput } from "./unified-reply.ts";

const Input = z.strictObject({
  command: z.string().min(1).optional().describe("The command to run, as you would type it into a shell."),
  handle_id: CommandId.optional().describe("The handle of an earlier reply. Alone, it asks how that command stands."),
  input: z
    .string()
    .optional()
    .describe(
      'With handle_id: text for the program that waits, with its Enter ("y\\n"). "\\u0003" is Ctrl-C. Empty only asks.',
    ),
  background: z
    .boolean()
    .optional()
    .describe(
      "For what keeps running, such as a server: returns after two seconds with its first output and a handle.",
    ),
  async: z
    .boolean()
    .optional()
    .describe(
      "For long work that you need not watch, such as a build: returns at once, and a later reply brings its result.",
    ),
  cwd: z.string().optional().describe("Folder to run it in. Without it, where the shell is."),
  env: z.record(z.string(), z.string()).optional().describe("Variables for this command alone."),
  idle_ms: z.int().min(0).max(3_600_000).optional().describe("Return after so long without output. Default 10000."),
  max_duration: z
    .number()
    .positive()
    .optional()
    .describe("End the command after so many seconds. An async one has two hours at most."),
  kill: z.boolean().optional().describe("With handle_id: ends that command and its shell."),
  session_id: CommandId.optional().describe("Older name of handle_id."),
  working_dir: z.string().optional().describe("Older name of cwd."),
});
type Input = z.infer<typeof Input>;

/** A client that can show its user a page does so as soon as it is clear that a person has to answer. */
const ASK_AFTER_MS = 1_000;

/** The tool `terminal` and what completes it: a thin translation to and from the one path that every command takes. */
export function registerUnified(server: McpServer, host: ToolHost): void {
  addTool(
    server,
    host,
    {
      name: "terminal",
      title: "Terminal",
      description:
        "Runs a command in a persistent shell and waits for it; working folder, variables and functions stay from call to " +
        "call.\n" +
        "- Run: `command`. Add `background: true` for a server, `async: true` for long work that you need not watch.\n" +
        "- Ask how it stands, and see what is new: `handle_id` alone.\n" +
        '- Answer a program that asks: `handle_id` and `input` ("y\\n").\n' +
        "- End it: `handle_id` and `kill: true`.\n" +
        "A reply with `exit_code` is final. A reply with `handle_id` is not: `state` says what it waits for. " +
        "`waiting_approval` needs a person, and so does `waiting_secret`, a password that you cannot type. " +
        "`output` keeps head and tail of a long output; `terminal_read` gives any part of it. " +
        "Every command is judged first: one that is refused says why, and often a safer way.",
      input: Input,
      output: UnifiedOutput,
      annotations: { readOnlyHint: false, destructiveHint: true, openWorldHint: true, idempotentHint: false },
    },
    (input, call) => serve(input, call),
  );
  registerOutputTools(server, host);
}

async function serve(input: Input, call: ToolCall) {
  const handle = input.handle_id ?? input.session_id;
  if (handle !== undefined) {
    if (input.command !== undefined) {
      throw new GatewayError(
        "bad-request",
        "Send `command` or `handle_id`, not both: a handle is a command that runs.",
      );
    }
    if (input.kill) await call.gateway.commands.kill(call.agent, handle);
    if (input.kill || !input.input) return poll(handle, input, call);
    return answer(handle, input.input, input, call);
  }
  if (input.command === undefined) {
    throw new GatewayError(
      "bad-request",
      "Send `command` to run something, or `handle_id` to ask how an earlier command stands.",
    );
  }
  return run(input.command, input, call);
}

async function run(command: string, input: Input, call: ToolCall) {
  // The client asks again after it has shown its user the page: that is no second command.
  if (call.startedBefore) return poll(call.startedBefore, input, call);
  const { agent, gateway } = call;
  const defaults = unifiedDefaults(call);
  if (input.async && isQuickCommand(command, defaults.quickCommands)) {
    throw new GatewayError(
      "bad-request",
      "This command is done before you could ask after it. Send it again without `async`: that is for builds, tests, " +
        "installs and other long work.",
    );
  }
  const { terminal, giveBack } = await gateway.agentTerminals.borrow(agent);
  const wait = waitFor(command, input, call);
  const cwd = input.cwd ?? input.working_dir;
  const task = taskLimits(input, call);
  const act: RunAct = {
    type: "run",
    terminalId: terminal.id,
    line: command,
    wait,
    ...(cwd === undefined ? {} : { cwd }),
    ...(input.env === undefined ? {} : { env: input.env }),
    ...(task === undefined ? {} : { task }),
  };
  const commandId = newId("cmd");
  if (input.async) call.desk.startedTask(commandId, command);
  const request = { commandId, agent, origin: "unified", act } as const;
  const submit = (hold: Hold) => gateway.commands.submit(request, hold, giveBack);
  if (input.async && call.knowsTasks) {
    await submit({ signal: call.signal, maxMs: 0 });
    return startedTask(call, commandId);
  }
  const limitMs = wait.type === "idle" ? wait.timeoutMs : LONGEST_HOLD_MS;
  const shown = { type: "run", command, isBackground: input.background === true || input.async === true } as const;
  if (!call.canOpenPages) {
    return reply(await call.hold(limitMs, submit), command, call, {
      shown,
      startedId: commandId,
      isAsync: input.async,
    });
  }
  const early = await submit({ signal: call.signal, maxMs: ASK_AFTER_MS });
  if (early.status === "waiting") return showApproval(early.approval, gateway);
  const isDone = isOver(early);
  const view = isDone ? early : await call.hold(limitMs, (hold) => pollCommand(call, commandId, wait, hold));
  return reply(view, command, call, { shown, startedId: commandId, isAsync: input.async });
}

/** Whether there is anything left to wait for. */
function isOver(view: CommandView): boolean {
  return view.status !== "running" && (view.status !== "ran" || isFinal(view.report));
}

/** What is new of a command, and how it stands. */
async function poll(handle: CommandId, input: Pick<Input, "idle_ms" | "kill">, call: ToolCall) {
  const { agent, gateway } = call;
  const { line } = await gateway.commands.find(agent, handle);
  const wait = waitFor(line, input, call);
  const view = await call.hold(LONGEST_HOLD_MS, (hold) => pollCommand(call, handle, wait, hold));
  return reply(view, line, call, { shown: { type: input.kill ? "cancel" : "check" } });
}

/** Answers the program that a command runs. */
async function answer(handle: CommandId, text: string, input: Input, call: ToolCall) {
  const { terminalId, closedAt } = await call.gateway.commands.find(call.agent, handle);
  if (terminalId === null || closedAt !== null) {
    throw new GatewayError(
      "nothing-reads",
      "That command has ended, and nothing of it reads any more. Run another one.",
    );
  }
  const wait = waitFor("", input, call);
  const { view, isSecret } = await typeInto(call, { terminalId, text, wait, origin: "unified" });
  // Refused at a password prompt, the program still waits: a person has to answer it.
  const shown = { type: "input", input: isSecret ? "" : text, isSecret } as const;
  return reply(view, text, call, { shown, ...(isSecret ? { waitsForSecret: handle } : {}) });
}

interface About {
  shown: CallToShow;
  /** The command that this call has started. */
  startedId?: CommandId;
  isAsync?: boolean | undefined;
  waitsForSecret?: CommandId;
}

async function reply(
  view: CommandView,
  text: string,
  call: ToolCall,
  { shown, startedId, isAsync = false, waitsForSecret }: About,
) {
  const { desk, gateway } = call;
  const limits = summaryLimits(call);
  const id = view.status === "ran" ? view.report.commandId : null;
  const described = await describeCommand(view, gateway, {
    limits,
    text,
    ...(id ? { fromPosition: desk.readFrom(id) } : {}),
  });
  if (described.kind === "ran") {
    desk.hasRead(described.report.commandId, described.report.endPosition);
    if (described.isDone) desk.hasHeardOf(described.report.commandId);
  } else if (described.kind === "not-run" && startedId) desk.hasHeardOf(startedId);
  const finished = await Promise.all(
    desk.takeFinishedTasks().map(async ({ line, report }) => ({
      line,
      described: await describeCommand({ status: "ran", report }, gateway, { limits, text: line }),
    })),
  );
  const display = displayOf(shown, described, text, unifiedDefaults(call));
  return toReply(described, { display, isAsync, finished, ...(waitsForSecret ? { waitsForSecret } : {}) });
}

/** Until it is done or wants something; silence also counts, except for what is known to be slow. */
function waitFor(
  command: string,
  { background, async: isAsync, idle_ms }: Pick<Input, "background" | "async" | "idle_ms">,
  call: ToolCall,
): WaitStrategy {
  const { idleMs, timeoutMs, slowTimeoutMs, slowCommands, backgroundCollectMs } = unifiedDefaults(call);
  if (isAsync) return { type: "background", collectMs: 0 };
  if (background) return { type: "background", collectMs: backgroundCollectMs };
  const isSlow = isSlowCommand(command, slowCommands);
  return {
    type: "idle",
    idleMs: idle_ms ?? (isSlow ? null : idleMs),
    timeoutMs: call.longestWait(isSlow ? slowTimeoutMs : timeoutMs),
  };
}

function taskLimits({ async: isAsync, max_duration }: Input, call: ToolCall): TaskLimits | undefined {
  const { taskMaxMs, abandonedReplMs } = unifiedDefaults(call);
  const askedMs = max_duration === undefined ? null : Math.round(max_duration * 1000);
  if (isAsync) return { maxDurationMs: Math.min(askedMs ?? taskMaxMs, taskMaxMs), maxWaitingMs: abandonedReplMs };
  return askedMs === null ? undefined : { maxDurationMs: askedMs, maxWaitingMs: askedMs };
}
