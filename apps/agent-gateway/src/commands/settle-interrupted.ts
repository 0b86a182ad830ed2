import { openRecording, type TerminalHost } from "@belay/core";
import type { CommandId, CommandReport, TerminalId } from "@belay/protocol";
import type { CommandRecords } from "../audit/command-records.ts";

/**
 * Closes the records that an earlier gateway left open, with what really happened, which the host knows.
 *
 * 1. What finished meanwhile gets its result.
 * 2. What still runs stays open; it is closed when it ends.
 * 3. What waits for a person stays open too, and is asked again.
 * 4. What was typed into a terminal that no longer exists ended with it.
 * 5. The rest never ran, and is closed as interrupted.
 */
export async function settleInterrupted(
  host: TerminalHost,
  records: CommandRecords,
  waiting: Set<CommandId>,
  recordingsDir: string,
): Promise<void> {
  const { running, finished } = await host.unfinished();
  for (const report of finished) {
    // A host that does not hear it tells of the command again, which changes nothing.
    await records.finish(report, () => void host.acknowledge(report.commandId).catch(() => {}));
  }
  await records.closeInterrupted({
    running: new Set(running.map(({ commandId }) => commandId)),
    waiting,
    terminals: await host.terminals.list(),
    findLost: (commandId, terminalId) => findInRecording(recordingsDir, commandId, terminalId),
  });
}

/** If the terminal and its host are gone, the recording still says what was typed and where. */
async function findInRecording(
  recordingsDir: string,
  commandId: CommandId,
  terminalId: TerminalId,
): Promise<CommandReport | null> {
  const recording = await openRecording(recordingsDir, terminalId);
  if (!recording) return null;
  try {
    for await (const { mark, position, timeMs } of recording.marks()) {
      if (mark.kind !== "commandStarted" || mark.commandId !== commandId) continue;
      const { endPosition } = await recording.read(0, 0);
      const durationMs = (await recording.readDurationMs()) - timeMs;
      return {
        commandId,
        terminalId,
        state: "exited",
        evidence: "exit",
        exitCode: null,
        startPosition: position,
        endPosition,
        cwd: "",
        durationMs,
      };
    }
    return null;
  } finally {
    await recording.close();
  }
}
