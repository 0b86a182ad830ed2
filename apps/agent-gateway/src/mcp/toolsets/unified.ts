import { isSlowCommand, type WaitStrategy } from "@belay/core";
import { CommandId, CommandState, Evidence } from "@belay/protocol";
import type { CallToolResult, McpServer } from "@modelcontextprotocol/server";
import { z } from "zod";
import type { RunAct } from "../../act.ts";
import { isFinal } from "../../command-outcome.ts";
import type { CommandView } from "../../commands.ts";
import { GatewayError } from "../../errors.ts";
import type { Gateway } from "../../gateway.ts";
import { newId } from "../../new-id.ts";
import type { AgentRow } from "../../store/agents.ts";

const Input = z.strictObject({
  command: z.string().min(1).optional().describe("The command to run, as you would type it into a shell."),
  cwd: z.string().optional().describe("Folder to run it in. Without it, the shell's own."),
  background: z
    .boolean()
    .optional()
    .describe("For what keeps running, such as a server: waits two seconds for its first output."),
  kill: z.boolean().optional().describe("With handle_id: ends that command and its shell."),
  handle_id: CommandId.optional().describe("The handle of an earlier reply, to see how that command stands now."),
});
type Input = z.infer<typeof Input>;

const Output = z.object({
  state: CommandState.optional(),
  evidence: Evidence.optional(),
  exit_code: z.int().nullable().optional().describe("Present once the command is done; null where it is not known."),
  handle_id: z.string().optional().describe("Present while it is not done: send it back to ask again."),
  output: z.string(),
  output_truncated: z.boolean().optional(),
  full_output_file: z
    .string()
    .optional()
    .describe("All of it, where `output` has only head and tail. Read it with a command."),
  terminal_id: z.string().optional(),
  cwd: z.string().optional(),
  duration_ms: z.number().optional(),
  position: z.int().optional(),
  approval_id: z.string().optional(),
  security_blocked: z.boolean().optional(),
  rule: z.string().optional(),
  hint: z.string().optional(),
});
type Output = z.infer<typeof Output>;

const LONGEST_WAIT_MS = 44_000;
const BACKGROUND: WaitStrategy = { type: "background", collectMs: 2_000 };

/** Until it is done or wants something; ten seconds of silence also count, except for what is known to be slow. */
function waitFor(command: string): WaitStrategy {
  return { type: "idle", idleMs: isSlowCommand(command) ? null : 10_000, timeoutMs: LONGEST_WAIT_MS };
}

/** One tool, `terminal`: a thin translation to and from the one path that every command takes. */
export function registerUnified(server: McpServer, agent: AgentRow, gateway: Gateway): void {
  server.registerTool(
    "terminal",
    {
      title: "Terminal",
      description:
        "Runs a command in a persistent shell and waits for it. Working folder, variables and functions stay from one call " +
        "to the next. A reply with `exit_code` is final. A reply with `handle_id` is not: `state` says what it waits for, and " +
        "`terminal` with that `handle_id` alone asks again. Some commands wait for a person to approve them first.",
      inputSchema: Input,
      outputSchema: Output,
      annotations: { readOnlyHint: false, destructiveHint: true, openWorldHint: true, idempotentHint: false },
    },
    async (input, { mcpReq }) => toReply(await toOutput(await serve(input, mcpReq.signal), gateway)),
  );

  async function serve(
    { command, cwd, background, handle_id, kill }: Input,
    signal: AbortSignal,
  ): Promise<CommandView> {
    if (handle_id !== undefined) {
      if (kill) await gateway.commands.kill(agent, handle_id);
      return gateway.commands.poll(agent, handle_id, waitFor(""), { signal });
    }
    if (command === undefined) {
      throw new GatewayError(
        "bad-request",
        "Send `command` to run something, or `handle_id` to ask how an earlier command stands.",
      );
    }
    const { terminal, giveBack } = await gateway.agentTerminals.borrow(agent);
    const act: RunAct = {
      type: "run",
      terminalId: terminal.id,
      line: command,
      wait: background ? BACKGROUND : waitFor(command),
      ...(cwd === undefined ? {} : { cwd }),
    };
    const request = { commandId: newId("cmd"), agent, origin: "unified", act } as const;
    return gateway.commands.submit(request, { signal }, giveBack);
  }
}

async function toOutput(view: CommandView, gateway: Gateway): Promise<Output> {
  switch (view.status) {
    case "incomplete":
      return {
        output: "Not run: a quote, bracket or here-document is still open. Close it and send the whole command again.",
      };
    case "frozen":
      return {
        output: "Not run: a person has stopped all work of this agent for now. Wait, and ask them before you go on.",
      };
    case "failed":
      return { output: `Not run: ${view.message}` };
    case "unreadable":
      return { output: `Not typed: ${view.reason}` };
    case "running":
      return { state: "running", output: "", handle_id: view.commandId };
    case "spawned":
      return { state: "running", output: "", terminal_id: view.terminal.id };
    case "done":
      return { state: "completed", output: view.result.output, exit_code: view.result.exitCode };
    case "denied": {
      const [reason] = view.verdict.matches;
      return {
        output: `Not run: ${reason?.reason ?? "the policy does not allow it."}`,
        security_blocked: true,
        ...(reason ? { rule: reason.rule } : {}),
        ...(view.verdict.rewrite ? { hint: `Instead: ${view.verdict.rewrite.command}` } : {}),
      };
    }
    case "refused":
      return {
        output: `Not run: ${view.answer.message ?? "a person refused it."}`,
        security_blocked: true,
        approval_id: view.answer.approvalId,
      };
    case "waiting":
      return {
        state: "waiting_approval",
        output: "Not run yet: a person has to approve it first.",
        handle_id: view.approval.commandId,
        approval_id: view.approval.id,
        hint: `Ask again with this handle_id alone. A person answers at ${gateway.url()}/approvals`,
      };
    case "ran": {
      const { report } = view;
      const { text, isTruncated, fullTextPath } = await gateway.outputTexts.of(report);
      return {
        state: report.state,
        evidence: report.evidence,
        ...(isFinal(report) ? { exit_code: report.exitCode } : { handle_id: report.commandId }),
        output: text,
        ...(isTruncated ? { output_truncated: true } : {}),
        ...(fullTextPath === null ? {} : { full_output_file: fullTextPath }),
        terminal_id: report.terminalId,
        cwd: report.cwd,
        duration_ms: report.durationMs,
        position: report.endPosition,
      };
    }
  }
}

function toReply(output: Output): CallToolResult {
  const code = output.exit_code === undefined ? "" : `, exit code ${output.exit_code}`;
  const status = output.state && `[${output.state}${code}]`;
  return {
    content: [{ type: "text", text: [output.output, status, output.hint].filter(Boolean).join("\n") }],
    structuredContent: output,
    isError: output.state === undefined,
  };
}
