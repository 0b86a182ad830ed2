import type { RunRequest, TerminalPool, WaitStrategy } from "@belay/core";
import type { CommandId, CommandReport, TerminalId, Verdict } from "@belay/protocol";
import type { AuditLog } from "./audit/audit-log.ts";
import type { CommandRecord } from "./audit/command-record.ts";
import { recordCommand } from "./audit/command-record.ts";
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
  | { status: "incomplete" }
  | { status: "denied"; verdict: Verdict }
  | { status: "refused"; verdict: Verdict; message: string }
  | { status: "ran"; verdict: Verdict; report: CommandReport };

export interface SubmitDeps {
  policy: PolicyStore;
  terminals: TerminalPool;
  audit: AuditLog;
}

/**
 * One command, start to finish: judge, ask, run. The record sees every step.
 *
 * Every way in for an agent ends here.
 */
export function submitCommand(
  request: CommandRequest,
  { policy, terminals, audit }: SubmitDeps,
  signal: AbortSignal,
): Promise<CommandOutcome> {
  // Opens the record first and closes it whatever happens: nothing runs unrecorded.
  return recordCommand(audit, request, async (record: CommandRecord) => {
    const { cwd } = await terminals.get(request.terminalId);
    const context = { profile: request.agent.profile, cwd: request.cwd ?? cwd, env: request.env ?? {} };
    const { memoryAfter, syntax, ...verdict } = policy.judge(request.line, request.terminalId, context);
    await record({ type: "command.judged", detail: { ...verdict, syntax, policyVersion: policy.version } });
    // An open quote would hang the shell: it is a mistake to correct, not a risk to weigh.
    if (syntax === "incomplete") return { status: "incomplete" };
    if (verdict.decision === "deny") return { status: "denied", verdict };
    if (verdict.decision === "ask") return { status: "refused", verdict, message: "Nobody can be asked yet." };

    await record({ type: "command.started" }); // durable before the first byte is typed
    policy.remember(request.terminalId, memoryAfter);
    const report = await terminals.run(request.terminalId, toRun(request), signal);
    return { status: "ran", verdict, report };
  });
}

function toRun({ commandId, line, wait, cwd, env }: CommandRequest): RunRequest {
  return { commandId, line, wait, ...(cwd === undefined ? {} : { cwd }), ...(env === undefined ? {} : { env }) };
}
