import { z } from "zod";
import { type HookAnswer, type HookCall, type HookForm, printed } from "../hook-form.ts";

const Payload = z.object({
  hook_event_name: z.string(),
  session_id: z.string().nullish(),
  sessionId: z.string().nullish(),
  cwd: z.string().nullish(),
  tool_name: z.string().optional(),
  tool_input: z.looseObject({ command: z.unknown().optional() }).optional(),
  tool_use_id: z.string().nullish(),
  tool_response: z.unknown().optional(),
});

/** Tools that run a shell command, of Claude Code, Codex and VS Code, which all call hooks in the same way. */
const SHELL_TOOLS = new Set(["Bash", "shell", "run_in_terminal", "runInTerminal"]);

export const claude: HookForm = {
  client: "claude",
  canAsk: true,
  canEdit: true,
  parse: parseClaudeCall,
  reply: (answer, payload) => printed(claudeAnswer(answer, payload)),
};

/** VS Code names some fields differently, and has no documented way to edit a command. */
export const vscode: HookForm = { ...claude, client: "vscode", canEdit: false };

export function parseClaudeCall(payload: unknown): HookCall {
  const call = Payload.parse(normal(payload));
  if (!SHELL_TOOLS.has(call.tool_name ?? "")) return { event: "other" };
  const common = { session: call.session_id ?? call.sessionId ?? null, callId: call.tool_use_id ?? null };
  const line = z.string().parse(call.tool_input?.command);
  switch (call.hook_event_name) {
    case "PreToolUse":
      return { event: "before", line, cwd: call.cwd ?? null, ...common };
    case "PostToolUse":
    case "PostToolUseFailure":
      return { event: "after", line, exitCode: exitCodeOf(call.tool_response), ...common };
    default:
      return { event: "other" };
  }
}

export function claudeAnswer(answer: HookAnswer, payload: unknown): object {
  const reason = answer.decision === "allow" ? "Belay's policy allows it." : answer.reason;
  return {
    hookSpecificOutput: {
      hookEventName: "PreToolUse",
      permissionDecision: answer.decision,
      permissionDecisionReason: reason,
      ...(answer.decision === "allow" && answer.editedTo !== null
        ? { updatedInput: withCommand(payload, answer.editedTo) }
        : {}),
    },
  };
}

/** The tool's input with an edited command, otherwise unchanged. */
export function withCommand(payload: unknown, command: string): object {
  return { ...z.object({ tool_input: z.looseObject({}) }).parse(payload).tool_input, command };
}

/** VS Code writes `hookEventName` where the others write `hook_event_name`. */
function normal(payload: unknown): unknown {
  const named = z.looseObject({ hookEventName: z.string() }).safeParse(payload);
  return named.success ? { ...named.data, hook_event_name: named.data.hookEventName } : payload;
}

/** Claude Code reports `interrupted` and the outputs, other clients an exit code. */
function exitCodeOf(response: unknown): number | null {
  const said = z.looseObject({ exit_code: z.int().optional(), exitCode: z.int().optional() }).safeParse(response);
  return said.success ? (said.data.exit_code ?? said.data.exitCode ?? null) : null;
}
