import type { TaskLimits } from "../../pool/requests.ts";
import type { Command } from "./command.ts";

/** Ends an unattended task at its time limit, or when it waits for an answer that will not come. */
export class TaskGuard {
  readonly #command: Command;
  readonly #maxWaitingMs: number;
  readonly #end: () => void;
  readonly #duration: NodeJS.Timeout;
  readonly #unlisten: () => void;
  #waiting: NodeJS.Timeout | null = null;

  constructor(command: Command, { maxDurationMs, maxWaitingMs }: TaskLimits, end: () => void) {
    this.#command = command;
    this.#maxWaitingMs = maxWaitingMs;
    this.#end = end;
    this.#duration = setTimeout(end, maxDurationMs);
    this.#unlisten = command.onChange(() => this.#look());
  }

  #look(): void {
    if (this.#command.finished || this.#command.failure) {
      clearTimeout(this.#duration);
      this.#stopWaiting();
      this.#unlisten();
    } else if (this.#command.want.kind === "nothing") {
      this.#stopWaiting();
    } else {
      this.#waiting ??= setTimeout(this.#end, this.#maxWaitingMs);
    }
  }

  #stopWaiting(): void {
    if (this.#waiting) clearTimeout(this.#waiting);
    this.#waiting = null;
  }
}
