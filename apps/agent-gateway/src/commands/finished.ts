import type { TerminalHost } from "@belay/core";
import type { CommandId, CommandReport } from "@belay/protocol";
import type { Logger } from "pino";

interface Deps {
  host: TerminalHost;
  /** Puts on record how a command ended; where that has to wait, `onRecord` hears later. */
  finish: (report: CommandReport, onRecord: () => void) => Promise<void>;
  log: Logger;
}

/** The host is told of several at once: nobody waits for that. */
const FORGET_AFTER_MS = 50;

/** Puts every command that ends on record, and only then lets its host forget it. */
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

  /** All that were told of so far are on record. */
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
    // A host that is gone has nothing to forget; one that was left is told by the next gateway.
    for (const commandId of this.#onRecord.splice(0)) void this.#deps.host.acknowledge(commandId).catch(() => {});
  }

  async #record(report: CommandReport): Promise<void> {
    const { finish, log } = this.#deps;
    const { commandId } = report;
    const forget = () => this.#forgetSoon(commandId);
    // Where it fails, its host keeps it, and the next start tries again.
    await finish(report, forget).catch((error: unknown) =>
      log.error({ err: error, commandId }, "a record could not be closed"),
    );
  }
}
