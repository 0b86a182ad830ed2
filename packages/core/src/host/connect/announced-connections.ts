import type { CommandId } from "@belay/protocol";
import type { PoolEvent } from "../../pool/terminal-pool.ts";

/**
 * The connections from behind walls that a host has said wait for an answer.
 *
 * A host says so as soon as a gateway connects. That is before the parts of a gateway that has just started listen, so
 * it is kept for them.
 */
export class AnnouncedConnections {
  readonly #events = new Map<CommandId, PoolEvent[]>();

  hear(event: PoolEvent): void {
    if (event.type === "connectionAsked") this.#events.set(event.connection.id, [event]);
    if (event.type === "connectionGone") this.#events.get(event.id)?.push(event);
  }

  /** What a new listener has to hear. */
  get events(): PoolEvent[] {
    return [...this.#events.values()].flat();
  }

  answered(id: CommandId): void {
    this.#events.delete(id);
  }

  /** The host is gone; if it is still alive, it says it again. */
  disconnected(): void {
    this.#events.clear();
  }
}
