import { CommandState, Evidence } from "@belay/protocol";
import type { CallToolResult, McpServer } from "@modelcontextprotocol/server";
import { z } from "zod";
import type { Gateway } from "../../gateway.ts";
import { newId } from "../../new-id.ts";
import type { AgentRow } from "../../store/agents.ts";
import { type CommandOutcome, submitCommand } from "../../submit-command.ts";

const Input = z.strictObject({
  command: z.string().min(1).describe("The command to run, as you would type it into a shell."),
  cwd: z.string().optional().describe("Folder to run it in. Without it, the shell's own."),
});

const Output = z.object({
  state: CommandState.optional(),
  evidence: Evidence.optional(),
  exit_code: z.int().nullable().optional(),
  output: z.string(),
  terminal_id: z.string().optional(),
  cwd: z.string().optional(),
  duration_ms: z.number().optional(),
  position: z.int().optional(),
  security_blocked: z.boolean().optional(),
  rule: z.string().optional(),
  hint: z.string().optional(),
});
type Output = z.infer<typeof Output>;

/** No call is held longer: clients give up after a minute. */
const LONGEST_WAIT_MS = 45_000;

/** One tool, `terminal`: a thin translation to and from `submitCommand`. */
export function registerUnified(server: McpServer, agent: AgentRow, gateway: Gateway): void {
  server.registerTool(
    "terminal",
    {
      title: "Terminal",
      description:
        "Runs a command in a persistent shell and waits for it. Working folder, variables and functions stay from one call " +
        "to the next. `exit_code` means that it is done; without one it still runs, and `state` says what it waits for.",
      inputSchema: Input,
      outputSchema: Output,
      annotations: { readOnlyHint: false, destructiveHint: true, openWorldHint: true, idempotentHint: false },
    },
    async ({ command, cwd }, { mcpReq }) => {
      const outcome = await gateway.agentTerminals.withShell(agent, (terminal) =>
        submitCommand(
          {
            commandId: newId("cmd"),
            agent,
            terminalId: terminal.id,
            line: command,
            wait: { type: "idle", idleMs: 10_000, timeoutMs: LONGEST_WAIT_MS },
            ...(cwd === undefined ? {} : { cwd }),
          },
          gateway,
          mcpReq.signal,
        ),
      );
      return toReply(await toOutput(outcome, gateway), outcome);
    },
  );
}

async function toOutput(outcome: CommandOutcome, gateway: Gateway): Promise<Output> {
  if (outcome.status === "incomplete") {
    return {
      output: "Not run: a quote, bracket or here-document is still open. Close it and send the whole command again.",
    };
  }
  if (outcome.status !== "ran") {
    const reason = outcome.verdict.matches[0];
    return {
      output: reason ? `Not run: ${reason.reason}` : "Not run: the policy does not allow it.",
      security_blocked: true,
      ...(reason ? { rule: reason.rule } : {}),
      ...(outcome.verdict.rewrite ? { hint: `Instead: ${outcome.verdict.rewrite.command}` } : {}),
    };
  }
  const { report } = outcome;
  return {
    state: report.state,
    evidence: report.evidence,
    ...(report.state === "completed" || report.state === "exited" ? { exit_code: report.exitCode } : {}),
    output: await gateway.outputText(report),
    terminal_id: report.terminalId,
    cwd: report.cwd,
    duration_ms: report.durationMs,
    position: report.endPosition,
  };
}

function toReply(output: Output, outcome: CommandOutcome): CallToolResult {
  const status =
    outcome.status === "ran"
      ? `[${output.state}${output.exit_code === undefined ? "" : `, exit code ${output.exit_code}`}]`
      : "";
  return {
    content: [{ type: "text", text: [output.output, status, output.hint].filter(Boolean).join("\n") }],
    structuredContent: output,
    isError: outcome.status !== "ran",
  };
}
