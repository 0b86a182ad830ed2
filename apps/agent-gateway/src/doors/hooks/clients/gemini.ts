import { z } from "zod";
import { type HookForm, printed } from "../hook-form.ts";
import { withCommand } from "./claude.ts";

const Payload = z.object({
  hook_event_name: z.string(),
  session_id: z.string().nullish(),
  cwd: z.string().nullish(),
  tool_name: z.string().optional(),
  tool_input: z.looseObject({ command: z.unknown().optional() }).optional(),
  tool_response: z.unknown().optional(),
});

/** Its `ask` hangs if no one is at the screen, so unanswered commands are denied instead. */
export const gemini: HookForm = {
  client: "gemini",
  canAsk: false,
  canEdit: true,
  parse: (payload) => {
    const call = Payload.parse(payload);
    if (call.tool_name !== "run_shell_command") return { event: "other" };
    const common = { session: call.session_id ?? null, callId: null };
    const line = z.string().parse(call.tool_input?.command);
    if (call.hook_event_name === "BeforeTool") return { event: "before", line, cwd: call.cwd ?? null, ...common };
    if (call.hook_event_name === "AfterTool") {
      return { event: "after", line, exitCode: exitCodeIn(call.tool_response), ...common };
    }
    return { event: "other" };
  },
  reply: (answer, payload) => {
    if (answer.decision !== "allow") return printed({ decision: "deny", reason: answer.reason });
    if (answer.editedTo === null) return printed({ decision: "allow" });
    const tool_input = withCommand(payload, answer.editedTo);
    return printed({ decision: "allow", hookSpecificOutput: { hookEventName: "BeforeTool", tool_input } });
  },
};

/** The exit code is only in the text for the model: "Exit Code: 1"; without it the command succeeded. */
function exitCodeIn(response: unknown): number | null {
  const text = z.looseObject({ llmContent: z.string() }).safeParse(response);
  if (!text.success) return null;
  const code = /^Exit Code: (\d+)$/m.exec(text.data.llmContent)?.[1];
  return code === undefined ? null : Number(code);
}
