import type { TerminalHost } from "@belay/core";
import type { CommandRecords } from "./audit/command-records.ts";

/**
 * Closes what an earlier gateway left open, with what really happened: the host knows.
 *
 * 1. What finished meanwhile gets its result.
 * 2. What still runs stays open; it is closed when it ends.
 * 3. Of the rest nobody will hear again.
 */
export async function settleInterrupted(host: TerminalHost, records: CommandRecords): Promise<void> {
  const { running, finished } = await host.unfinished();
  for (const report of finished) {
    await records.finish(report);
    await host.acknowledge(report.commandId);
  }
  await records.closeInterrupted({
    running: new Set(running.map(({ commandId }) => commandId)),
    terminals: await host.terminals.list(),
  });
}
