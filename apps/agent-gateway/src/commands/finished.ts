import type { TerminalHost } from "@belay/core";
import type { CommandId, CommandReport } from "@belay/protocol";
import type { Logger } from "pino";

interface Deps {
  host: TerminalHost;
  /** Records how a command ended; if that has to wait, `onRecord` is called later. */
  finish: (report: CommandReport, onRecord: () => void) => Promise<void>;
  log: Logger;
}

/** Acknowledged in batches, because no caller waits for it. */
const FORGET_AFTER_MS = 50;

/** Records every finished command, and only then lets its host drop the result. */
export class FinishedCommands {
  readonly #deps: Deps;
  readonly #underWay = new Map<CommandId, Promise<void>>();
  #onRecord: CommandId[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  add(report: CommandReport): void {
    const { commandId } = report;
    const done = this.#record(report).finally(() => this.#underWay.delete(commandId));
    this.#underWay.set(commandId, done);
  }

  /** Resolves once all reported commands are recorded. */
  async settle(): Promise<void> {
    await Promise.all(this.#underWay.values());
    this.#forgetNow();
  }

  #forgetSoon(commandId: CommandId): void {
    this.#onRecord.push(commandId);
    this.#timer ??= setTimeout(() => this.#forgetNow(), FORGET_AFTER_MS).unref();
  }

  #forgetNow(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    // A dead host has nothing to drop; one that outlives this gateway is told by the next one.
    for (const commandId of this.#onRecord.splice(0)) void this.#deps.host.acknowledge(commandId).catch(() => {});
  }

  async #record(report: CommandReport): Promise<void> {
    const { finish, log } = this.#deps;
    const { commandId } = report;
    const forget = () => this.#forgetSoon(commandId);
    // If it fails, its host keeps the result, and the next start tries again.
    await finish(report, forget).catch((error: unknown) =>
      log.error({ err: error, commandId }, "a record could not be closed"),
    );
  }
}
