import { z } from "zod";
import { type HookForm, printed, refusedByExitCode } from "../hook-form.ts";

const Payload = z.object({
  agent_action_name: z.string(),
  trajectory_id: z.string().nullish(),
  execution_id: z.string().nullish(),
  tool_info: z.looseObject({ command_line: z.unknown().optional(), cwd: z.string().nullish() }).optional(),
});

/** It only uses the exit code. */
export const windsurf: HookForm = {
  client: "windsurf",
  canAsk: false,
  canEdit: false,
  parse: (payload) => {
    const call = Payload.parse(payload);
    const common = { session: call.trajectory_id ?? null, callId: call.execution_id ?? null };
    const line = () => z.string().parse(call.tool_info?.command_line);
    if (call.agent_action_name === "pre_run_command") {
      return { event: "before", line: line(), cwd: call.tool_info?.cwd ?? null, ...common };
    }
    if (call.agent_action_name === "post_run_command") {
      return { event: "after", line: line(), exitCode: null, ...common };
    }
    return { event: "other" };
  },
  reply: (answer) => (answer.decision === "allow" ? printed(null) : refusedByExitCode(answer.reason)),
};
