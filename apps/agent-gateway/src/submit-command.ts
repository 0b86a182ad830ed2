import type { RunRequest, TerminalPool, WaitStrategy } from "@belay/core";
import type { Approval, CommandId, CommandReport, TerminalId, Verdict } from "@belay/protocol";
import type { Answer, Approvals } from "./approvals.ts";
import type { CommandRecords } from "./audit/command-records.ts";
import type { Freezer } from "./freezer.ts";
import type { PolicyStore } from "./policy-store.ts";
import type { AgentRow } from "./store/agents.ts";

export interface CommandRequest {
  commandId: CommandId;
  agent: AgentRow;
  terminalId: TerminalId;
  line: string;
  wait: WaitStrategy;
  cwd?: string;
  env?: Record<string, string>;
}

export type CommandOutcome =
  /** An open quote or here-document: it would hang the shell, so it was not typed. */
  | { status: "incomplete" }
  /** Somebody stopped this agent, or all of them. */
  | { status: "frozen" }
  | { status: "denied"; verdict: Verdict }
  | { status: "refused"; verdict: Verdict; answer: Extract<Answer, { decision: "deny" }> }
  | { status: "failed"; message: string }
  | { status: "ran"; report: CommandReport };

export interface SubmitDeps {
  policy: PolicyStore;
  approvals: Approvals;
  freezer: Freezer;
  terminals: TerminalPool;
  records: CommandRecords;
}

/**
 * One command, start to finish: judge, ask, run. The record sees every step.
 *
 * Every way in for an agent ends here. `onAsked` hears that a person has to answer first.
 */
export function submitCommand(
  request: CommandRequest,
  { policy, approvals, freezer, terminals, records }: SubmitDeps,
  onAsked: (approval: Approval) => void,
): Promise<CommandOutcome> {
  // Opens the record first and closes it whatever happens: nothing runs unrecorded.
  return records.record(request, async (step) => {
    if (await freezer.isFrozen(request.agent.id)) return { status: "frozen" };
    const terminal = await terminals.get(request.terminalId);
    const context = { profile: request.agent.profile, cwd: request.cwd ?? terminal.cwd, env: request.env ?? {} };
    const judged = policy.judge(request.line, request.terminalId, context);
    await step("command.judged", { ...judged.verdict, syntax: judged.syntax, policyVersion: policy.version });
    if (judged.syntax === "incomplete") return { status: "incomplete" };
    if (judged.verdict.decision === "deny") return { status: "denied", verdict: judged.verdict };
    if (judged.verdict.decision === "allow") return run(request, judged);

    const question = policy.question(request, judged.verdict, context.cwd);
    const answer = await approvals.ask(question, onAsked);
    await step("command.answered", { ...answer });
    if (answer.decision === "deny") return { status: "refused", verdict: judged.verdict, answer };
    if (answer.editedText === null) return run(request, judged);

    // Approved in other words: those are judged afresh, and only a ban stops what a person wrote.
    const edited = { ...request, line: answer.editedText };
    const rejudged = policy.judge(edited.line, request.terminalId, context);
    await step("command.judged", { ...rejudged.verdict, syntax: rejudged.syntax, text: edited.line });
    if (rejudged.syntax === "incomplete") return { status: "incomplete" };
    if (rejudged.verdict.decision === "deny") return { status: "denied", verdict: rejudged.verdict };
    return run(edited, rejudged);

    async function run(approved: CommandRequest, { memoryAfter }: typeof judged): Promise<CommandOutcome> {
      // Asked again: a person may have stopped everything while this one waited.
      if (await freezer.isFrozen(request.agent.id)) return { status: "frozen" };
      await step("command.started", { line: approved.line }); // durable before the first byte is typed
      policy.remember(approved.terminalId, memoryAfter);
      return { status: "ran", report: await terminals.run(approved.terminalId, toRun(approved)) };
    }
  });
}

function toRun({ commandId, line, wait, cwd, env }: CommandRequest): RunRequest {
  return { commandId, line, wait, ...(cwd === undefined ? {} : { cwd }), ...(env === undefined ? {} : { env }) };
}
