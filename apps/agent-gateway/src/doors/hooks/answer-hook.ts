import type { HookClient } from "@belay/protocol";
import { z } from "zod";
import { describeOutcome } from "../../commands/describe-outcome.ts";
import type { CommandOutcome } from "../../commands/outcome.ts";
import { GatewayError } from "../../errors.ts";
import type { Gateway } from "../../gateway.ts";
import { newId } from "../../store/new-id.ts";
import type { AgentRow } from "../../store/tables/agents.ts";
import { HOOK_FORMS } from "./clients/index.ts";
import { type HookAnswer, type HookCall, type HookForm, type HookReply, printed } from "./hook-form.ts";
import { projectFolder } from "./project-folder.ts";

/** Answers this long before the client's own time limit: in most clients a late hook lets the command run. */
const MARGIN_MS = 5_000;
const LONGEST_WAIT_S = 3600;

/** The query of a hook's call: how long the client waits for its hook, in seconds. */
export const HookQuery = z.object({ timeout: z.coerce.number().min(1).max(LONGEST_WAIT_S).default(60) });

/** How long people have to answer, of the client's time limit. */
export function answerWithin({ timeout }: z.infer<typeof HookQuery>): number {
  const timeoutMs = timeout * 1000;
  return timeoutMs - Math.min(MARGIN_MS, timeoutMs / 2);
}

interface HookRequest {
  client: HookClient;
  agent: AgentRow;
  payload: unknown;
  /** How long people have to answer; 0 if no one can. */
  answerWithinMs: number;
  /** Aborted when the client no longer waits. */
  signal: AbortSignal;
}

type HookDeps = Pick<Gateway, "commands" | "workspaces" | "clientSessions" | "url" | "settings" | "log">;

/** Answers one call of a client's hook, in the client's own format. A call that cannot be answered is denied. */
export async function answerHook(deps: HookDeps, request: HookRequest): Promise<HookReply> {
  const form = HOOK_FORMS[request.client];
  const deny = (reason: string) => form.reply({ decision: "deny", reason }, request.payload);
  let call: HookCall;
  try {
    call = form.parse(request.payload);
  } catch (error) {
    if (!(error instanceof z.ZodError || error instanceof SyntaxError)) throw error;
    return deny(`Belay cannot read this call of ${request.client}'s hook, so it denies it: ${firstProblem(error)}`);
  }
  try {
    switch (call.event) {
      case "other":
        return printed(request.client === "cline" ? { cancel: false } : {});
      case "after": {
        const { session, callId, line, exitCode } = call;
        const key = { agentId: request.agent.id, client: request.client, session };
        await deps.clientSessions.report(key, { callId, line, exitCode });
        return printed(request.client === "cline" ? { cancel: false } : {});
      }
      case "before":
        return form.reply(await judgeCall(deps, request, form, call), request.payload);
    }
  } catch (error) {
    if (error instanceof GatewayError) return deny(`Belay did not allow it: ${error.message}`);
    deps.log.error({ err: error, client: request.client }, "a hook could not be answered");
    return deny("Belay could not judge this command, so it does not run. Its log says why.");
  }
}

async function judgeCall(
  { commands, workspaces, url, settings }: HookDeps,
  { client, agent, answerWithinMs, signal }: HookRequest,
  form: HookForm,
  { line, cwd, session, callId }: Extract<HookCall, { event: "before" }>,
): Promise<HookAnswer> {
  const { workspace } = await workspaces.choose(agent, cwd === null ? null : await projectFolder(cwd));
  const act = {
    type: "client",
    line,
    cwd: cwd ?? workspace ?? settings.workspace,
    client,
    session,
    callId,
    answerWithinMs,
    canAsk: form.canAsk,
  } as const;
  const commandId = newId("cmd");
  const request = { commandId, agent: { ...agent, workspace }, origin: "hook", act } as const;
  // A little longer than the question's own deadline, so that it expires first.
  const outcome = await commands.submit(request, { signal, maxMs: answerWithinMs + 1000 });
  if (outcome.status === "waiting") {
    // The client has gone, or its time is up: the answer would not reach it.
    await commands.kill(agent, commandId);
    return { decision: "deny", reason: "No one answered in time, so it does not run." };
  }
  if (outcome.status === "running") {
    return { decision: "deny", reason: "Belay is too busy to judge it in time, so it does not run. Try it again." };
  }
  return answerTo(outcome, form, { text: line, url: url() });
}

function answerTo(outcome: CommandOutcome, form: HookForm, about: { text: string; url: string }): HookAnswer {
  const { message, saferWay } = describeOutcome(outcome, about);
  switch (outcome.status) {
    case "cleared": {
      const editedTo = outcome.editedTo ?? outcome.rewrittenTo ?? null;
      if (editedTo === null || form.canEdit) return { decision: "allow", editedTo };
      return { decision: "deny", reason: `A person edited it. Run this instead: ${editedTo}` };
    }
    case "leftToClient":
      return { decision: "ask", reason: `Belay: ${message}` };
    default: {
      const instead = saferWay === null ? "" : ` A safer way: ${saferWay}`;
      return { decision: "deny", reason: `Belay: ${message ?? "it does not run."}${instead}` };
    }
  }
}

function firstProblem(error: z.ZodError | SyntaxError): string {
  if (!(error instanceof z.ZodError)) return error.message;
  const [issue] = error.issues;
  return issue ? `${issue.path.join(".") || "the call"}: ${issue.message}` : error.message;
}
