import { z } from "zod";
import { type HookForm, printed } from "../hook-form.ts";

const Arguments = z.looseObject({ command: z.string() });

const Payload = z.object({
  sessionId: z.string().nullish(),
  cwd: z.string().nullish(),
  toolName: z.string().optional(),
  /** An object, or in some versions its JSON text. */
  toolArgs: z.unknown().optional(),
  toolResult: z.unknown().optional(),
});

/** Copilot CLI and the cloud agent. Its calls do not name the event: only those after a tool have a result. */
export const copilot: HookForm = {
  client: "copilot",
  canAsk: true,
  canEdit: true,
  parse: (payload) => {
    const call = Payload.parse(payload);
    if (call.toolName !== "bash") return { event: "other" };
    const line = argumentsOf(call.toolArgs).command;
    const common = { session: call.sessionId ?? null, callId: null };
    if (call.toolResult !== undefined) return { event: "after", line, exitCode: null, ...common };
    return { event: "before", line, cwd: call.cwd ?? null, ...common };
  },
  reply: (answer, payload) => {
    if (answer.decision !== "allow") {
      return printed({ permissionDecision: answer.decision, permissionDecisionReason: answer.reason });
    }
    if (answer.editedTo === null) return printed({ permissionDecision: "allow" });
    const modifiedArgs = { ...argumentsOf(Payload.parse(payload).toolArgs), command: answer.editedTo };
    return printed({ permissionDecision: "allow", modifiedArgs });
  },
};

function argumentsOf(given: unknown): z.infer<typeof Arguments> {
  return Arguments.parse(typeof given === "string" ? JSON.parse(given) : given);
}
