import { openRecording, type TerminalHost } from "@belay/core";
import type { CommandId, CommandReport, TerminalId } from "@belay/protocol";
import type { CommandRecords } from "../audit/command-records.ts";
import type { KnownAfterRestart } from "../audit/commands/interrupted-commands.ts";

/**
 * Closes the records that an earlier gateway left open, with what the host knows about them.
 *
 * 1. Commands that finished meanwhile get their result.
 * 2. Running ones stay open; they are closed when they end.
 * 3. Those that wait for a person stay open too, and are asked about again.
 * 4. Those typed into a terminal that no longer exists ended with it.
 * 5. The rest are closed as interrupted: they never ran, or it is not known how they ended.
 *
 * Commands on a machine that is away are settled in the same way once it is back.
 */
export async function settleInterrupted(
  host: TerminalHost,
  records: CommandRecords,
  waiting: Set<CommandId>,
  { recordingsDir, isSettledNow }: Pick<KnownAfterRestart, "isSettledNow"> & { recordingsDir: string },
): Promise<void> {
  const { running, finished } = await host.unfinished();
  for (const report of finished) {
    // If the host misses the acknowledgement it reports the command again, which has no effect.
    await records.finish(report, () => void host.acknowledge(report.commandId).catch(() => {}));
  }
  await records.closeInterrupted({
    running: new Set(running.map(({ commandId }) => commandId)),
    waiting,
    terminals: await host.terminals.list(),
    findLost: (commandId, terminalId) => findInRecording(recordingsDir, commandId, terminalId),
    isSettledNow,
  });
}

/** If the terminal and its host are gone, the recording still shows what was typed and where. */
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
