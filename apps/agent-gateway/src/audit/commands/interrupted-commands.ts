import type { CommandId, CommandReport, TerminalId, TerminalInfo } from "@belay/protocol";
import type { Act } from "../../commands/act.ts";
import type { CommandOutcome } from "../../commands/outcome.ts";
import type { CommandRow } from "../../store/tables/commands.ts";

/** What is known about commands of an earlier gateway. */
export interface KnownAfterRestart {
  running: Set<CommandId>;
  /** Those with a pending question. */
  waiting: Set<CommandId>;
  /** The terminals that are still open. */
  terminals: TerminalInfo[];
  /** Finds a command that was typed into a terminal that no longer exists. */
  findLost: (commandId: CommandId, terminalId: TerminalId) => Promise<CommandReport | null>;
  /** Whether a command is settled now; others may be on a machine that is away. */
  isSettledNow: (command: { terminalId: TerminalId | null; openedAt: number }) => boolean;
}

/** A terminal keeps each result until it is recorded, so a command that an open terminal does not know was never typed. */
export async function outcomeOfInterrupted(row: CommandRow, known: KnownAfterRestart): Promise<CommandOutcome> {
  const { id: commandId, request, terminalId, startedAt } = row;
  const act = request === null ? null : (JSON.parse(request) as { act: Act }).act;
  if (act?.type === "client") {
    return { status: "failed", message: "The gateway ended before it knew that the client had its answer." };
  }
  // Its agent may have been told that nothing ran, so nothing runs.
  if (startedAt === null) return { status: "failed", message: "The gateway ended before it began. Nothing ran." };
  const terminal = known.terminals.find(({ id }) => id === terminalId);
  if (terminal && act?.type === "spawn") return { status: "spawned", terminal };
  if (terminal && act?.type === "run") {
    return { status: "failed", message: "The gateway ended before the command was typed. Nothing ran." };
  }
  const report = terminalId === null ? null : await known.findLost(commandId, terminalId);
  if (report) return { status: "ran", report };
  return { status: "failed", hasBegun: true, message: "It had started, and the gateway ended before it finished." };
}

/** Whether a caller still waits for it: a client whose hook was interrupted has taken that as a denial. */
export function canResume(request: string | null): boolean {
  return request !== null && (JSON.parse(request) as { act: Act }).act.type !== "client";
}
