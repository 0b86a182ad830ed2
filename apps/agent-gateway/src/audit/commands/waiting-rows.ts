import type { Writes } from "../../store/queries.ts";
import type { AuditLog, NewAuditEvent } from "../audit-log.ts";

/** Rows of one command that are committed together. */
export class WaitingRows {
  readonly #audit: AuditLog;
  #events: NewAuditEvent[] = [];
  #also: Writes[] = [];
  #hasWritten = false;

  constructor(audit: AuditLog) {
    this.#audit = audit;
  }

  /** Whether others can see the command. */
  get hasWritten(): boolean {
    return this.#hasWritten;
  }

  add(event: NewAuditEvent, also?: Writes): void {
    this.#events.push(event);
    if (also) this.#also.push(also);
  }

  async write(): Promise<void> {
    const [events, also] = [this.#events, this.#also];
    if (events.length === 0) return;
    this.#events = [];
    this.#also = [];
    this.#hasWritten = true;
    await this.#audit.appendAll(events, (db) => also.flatMap((writes) => writes(db)));
  }
}
