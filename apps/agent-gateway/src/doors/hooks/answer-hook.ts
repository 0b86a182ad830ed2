import type { HookClient } from "@belay/protocol";
import { z } from "zod";
import { describeOutcome } from "../../commands/describe-outcome.ts";
import type { CommandOutcome, Delivery } from "../../commands/outcome.ts";
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
  /** Sends the answer, and says whether the client was still there to get it. */
  send(reply: HookReply): Promise<boolean>;
}

type HookDeps = Pick<Gateway, "commands" | "workspaces" | "clientConversations" | "url" | "settings" | "log">;

/**
 * Answers one call of a client's hook, in the client's own format. A call that cannot be answered is denied.
 *
 * A command is answered before its record is closed, so that the record says whether the client was told.
 */
export async function answerHook(deps: HookDeps, request: HookRequest): Promise<void> {
  const form = HOOK_FORMS[request.client];
  const once = sendOnce(request, form);
  try {
    const call = form.parse(request.payload);
    switch (call.event) {
      case "other":
        return void (await request.send(printed(request.client === "cline" ? { cancel: false } : {})));
      case "after": {
        const { session, callId, line, exitCode } = call;
        const key = { agentId: request.agent.id, client: request.client, session };
        await deps.clientConversations.report(key, { callId, line, exitCode });
        return void (await request.send(printed(request.client === "cline" ? { cancel: false } : {})));
      }
      case "before":
        return await judgeCall(deps, request, { form, call, once });
    }
  } catch (error) {
    await once({ decision: "deny", reason: reasonOf(error, request.client) });
    if (!isExpected(error)) deps.log.error({ err: error, client: request.client }, "a hook could not be answered");
  }
}

/** Sends the first answer only. The result says what became of the one that it was called with. */
type SendOnce = (answer: HookAnswer) => Promise<Delivery>;

function sendOnce({ payload, send }: HookRequest, form: HookForm): SendOnce {
  let first: Promise<boolean> | null = null;
  return async (answer) => {
    if (first !== null) return (await first) ? "late" : "gone";
    first = send(form.reply(answer, payload));
    return (await first) ? "delivered" : "gone";
  };
}

async function judgeCall(
  { commands, workspaces, url, settings }: HookDeps,
  { client, agent, answerWithinMs, signal }: HookRequest,
  { form, call, once }: { form: HookForm; call: Extract<HookCall, { event: "before" }>; once: SendOnce },
): Promise<void> {
  const { line, cwd, session, callId } = call;
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
  const deliver = (outcome: CommandOutcome) => once(answerTo(outcome, form, { text: line, url: url() }));
  const request = { commandId, agent: { ...agent, workspace }, origin: "hook", act, deliver } as const;
  // A little longer than the question's own deadline, so that it expires first.
  const { status } = await commands.submit(request, { signal, maxMs: answerWithinMs + 1000 });
  if (status !== "waiting" && status !== "running") return;
  // The client has gone, or its time is up: a later answer would not reach it.
  const why = status === "waiting" ? "No one answered in time" : "Belay is too busy to judge it in time";
  await once({ decision: "deny", reason: `${why}, so it does not run. Try it again.` });
  await commands.abandon(agent, commandId, "The client no longer waits for an answer.");
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

function isExpected(error: unknown): boolean {
  return error instanceof z.ZodError || error instanceof SyntaxError || error instanceof GatewayError;
}

function reasonOf(error: unknown, client: HookClient): string {
  if (error instanceof GatewayError) return `Belay did not allow it: ${error.message}`;
  if (!isExpected(error)) return "Belay could not judge this command, so it does not run. Its log says why.";
  return `Belay cannot read this call of ${client}'s hook, so it denies it: ${firstProblem(error as z.ZodError | SyntaxError)}`;
}

function firstProblem(error: z.ZodError | SyntaxError): string {
  if (!(error instanceof z.ZodError)) return error.message;
  const [issue] = error.issues;
  return issue ? `${issue.path.join(".") || "the call"}: ${issue.message}` : error.message;
}
