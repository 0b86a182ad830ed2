import type { CommandId, CommandReport } from "@belay/protocol";

const MAX_KEPT = 200;

/** The results of a terminal's last commands, for callers that ask later. */
export class FinishedCommands {
  readonly #reports = new Map<CommandId, CommandReport>();

  add(report: CommandReport): void {
    this.#reports.set(report.commandId, report);
    const [oldest] = this.#reports.keys();
    if (this.#reports.size > MAX_KEPT && oldest) this.#reports.delete(oldest);
  }

  find(id: CommandId): CommandReport | undefined {
    return this.#reports.get(id);
  }
}
