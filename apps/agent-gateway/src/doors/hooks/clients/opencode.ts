import { z } from "zod";
import { type HookForm, printed } from "../hook-form.ts";

const Payload = z.object({
  event: z.enum(["tool.execute.before", "tool.execute.after"]),
  sessionID: z.string().nullish(),
  callID: z.string().nullish(),
  cwd: z.string().nullish(),
  command: z.string(),
  exitCode: z.int().nullish(),
});

/** opencode has plugins instead of hooks: this is the format of the one that `belay connect opencode` writes. */
export const opencode: HookForm = {
  client: "opencode",
  canAsk: false,
  canEdit: true,
  parse: (payload) => {
    const call = Payload.parse(payload);
    const common = { line: call.command, session: call.sessionID ?? null, callId: call.callID ?? null };
    if (call.event === "tool.execute.after") return { event: "after", exitCode: call.exitCode ?? null, ...common };
    return { event: "before", cwd: call.cwd ?? null, ...common };
  },
  reply: (answer) => printed(answer),
};
