import type { AuditEvent } from "@belay/protocol";
import type { CommandOutcome, CommandRequest } from "../submit-command.ts";
import type { AuditLog } from "./audit-log.ts";

type Step =
  | { type: "command.judged"; detail: AuditEvent["detail"] }
  | { type: "command.answered"; detail: AuditEvent["detail"] }
  | { type: "command.started" };

export type CommandRecord = (step: Step) => Promise<void>;

/** Opens the record of a command, lets it happen, and closes the record with how it ended. */
export async function recordCommand(
  audit: AuditLog,
  request: CommandRequest,
  happen: (record: CommandRecord) => Promise<CommandOutcome>,
): Promise<CommandOutcome> {
  const about = {
    actor: { type: "agent", id: request.agent.id },
    commandId: request.commandId,
    terminalId: request.terminalId,
  } as const;
  const opened = { line: request.line, cwd: request.cwd ?? null, env: request.env ?? {} };
  await audit.append({ ...about, type: "command.opened", detail: opened });
  try {
    const outcome = await happen(async (step) => void (await audit.append({ ...about, ...step })));
    await audit.append({ ...about, type: "command.closed", detail: closing(outcome) });
    return outcome;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    await audit.append({ ...about, type: "command.closed", detail: { status: "failed", message } });
    throw error;
  }
}

function closing(outcome: CommandOutcome): AuditEvent["detail"] {
  if (outcome.status !== "ran") return { status: outcome.status };
  const { state, evidence, exitCode, durationMs, startPosition, endPosition, cwd } = outcome.report;
  return { status: "ran", state, evidence, exitCode, durationMs, startPosition, endPosition, cwd };
}
