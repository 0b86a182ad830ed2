import type { AuditEvent, ReachedLimit } from "@belay/protocol";
import { type Act, textOf } from "../../commands/act.ts";
import type { CommandOutcome } from "../../commands/outcome.ts";

/** What the row of an opened command holds: everything from the agent that affects the run. */
export function openedDetail(act: Act): { line: string } & AuditEvent["detail"] {
  switch (act.type) {
    case "run":
      return { line: act.line, cwd: act.cwd ?? null, env: act.env ?? {} };
    case "type":
      // Input for a password prompt is never recorded.
      return {
        line: act.reader.hidesInput ? "(hidden)" : act.text,
        readers: act.reader.processes.map(({ argv }) => argv),
      };
    case "spawn": {
      const { cwd, env, name } = act.request;
      return { line: textOf(act), cwd, env, name, surface: act.surface };
    }
    case "connect":
      return { line: textOf(act), host: act.host, port: act.port, program: act.program };
    case "client": {
      const { line, cwd, client, session, callId } = act;
      return { line, cwd, client, session, callId };
    }
    case "once":
      return { line: textOf(act), cwd: act.cwd, env: act.env, stdin: act.stdin };
    case "undo":
      return { line: textOf(act), undoes: act.undoneId, workspace: act.range.workspace };
  }
}

/** What the row of a closed command holds: how it ended. */
export function closedDetail(outcome: CommandOutcome): AuditEvent["detail"] {
  switch (outcome.status) {
    case "ran": {
      const { state, evidence, exitCode, durationMs, startPosition, endPosition, cwd, limit } = outcome.report;
      const ended = { state, evidence, exitCode, durationMs, startPosition, endPosition, cwd };
      return { status: "ran", ...ended, ...reachedLimit(limit) };
    }
    case "failed":
      return { status: "failed", message: outcome.message };
    case "spawned":
      return { status: "spawned", terminalId: outcome.terminal.id };
    case "cleared":
      return {
        status: "cleared",
        ...(outcome.editedTo === undefined ? {} : { line: outcome.editedTo }),
        ...(outcome.rewrittenTo === undefined ? {} : { line: outcome.rewrittenTo }),
      };
    case "undelivered":
      return { status: "undelivered", answer: outcome.answer, why: outcome.why };
    case "undo":
      return { status: "undo", undoes: outcome.undoneId, result: outcome.result.status };
    case "previewed":
      return { status: "previewed", exitCode: outcome.preview.exitCode, words: outcome.preview.summary };
    case "done": {
      const { exitCode, error, durationMs, isTimedOut, limit } = outcome.result;
      const ended = { status: "done", exitCode, error, durationMs, isTimedOut, ...reachedLimit(limit) };
      return outcome.isApplied ? { ...ended, isApplied: true } : ended;
    }
    default:
      return { status: outcome.status };
  }
}

function reachedLimit(limit: ReachedLimit | undefined): AuditEvent["detail"] {
  return limit === undefined ? {} : { limit };
}
