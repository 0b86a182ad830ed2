import { z } from "zod";
import { type HookForm, printed } from "../hook-form.ts";

const Use = z.object({
  toolName: z.string(),
  parameters: z.looseObject({ command: z.unknown().optional() }),
});

const Payload = z.object({
  taskId: z.string().nullish(),
  workspaceRoots: z.array(z.string()).nullish(),
  preToolUse: Use.optional(),
  postToolUse: Use.optional(),
});

export const cline: HookForm = {
  client: "cline",
  canAsk: false,
  canEdit: false,
  parse: (payload) => {
    const { taskId, workspaceRoots, preToolUse, postToolUse } = Payload.parse(payload);
    const use = preToolUse ?? postToolUse;
    if (use?.toolName !== "execute_command") return { event: "other" };
    const line = z.string().parse(use.parameters.command);
    const common = { session: taskId ?? null, callId: null };
    if (!preToolUse) return { event: "after", line, exitCode: null, ...common };
    return { event: "before", line, cwd: workspaceRoots?.[0] ?? null, ...common };
  },
  reply: (answer) =>
    printed(answer.decision === "allow" ? { cancel: false } : { cancel: true, errorMessage: answer.reason }),
};
