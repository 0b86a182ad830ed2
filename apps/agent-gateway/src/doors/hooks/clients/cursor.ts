import { z } from "zod";
import { type HookForm, printed } from "../hook-form.ts";

const Payload = z.object({
  hook_event_name: z.string(),
  conversation_id: z.string().nullish(),
  workspace_roots: z.array(z.string()).nullish(),
  command: z.unknown().optional(),
  cwd: z.string().nullish(),
  exit_code: z.int().nullish(),
});

export const cursor: HookForm = {
  client: "cursor",
  canAsk: true,
  canEdit: false,
  parse: (payload) => {
    const call = Payload.parse(payload);
    const common = { session: call.conversation_id ?? null, callId: null };
    if (call.hook_event_name === "beforeShellExecution") {
      const cwd = call.cwd || (call.workspace_roots?.[0] ?? null);
      return { event: "before", line: z.string().parse(call.command), cwd, ...common };
    }
    if (call.hook_event_name === "afterShellExecution") {
      return { event: "after", line: z.string().parse(call.command), exitCode: call.exit_code ?? null, ...common };
    }
    return { event: "other" };
  },
  reply: (answer) =>
    printed(
      answer.decision === "allow"
        ? { permission: "allow" }
        : { permission: answer.decision, user_message: answer.reason, agent_message: answer.reason },
    ),
};
