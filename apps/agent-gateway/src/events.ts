import type { AgentId, Approval, CommandId, TerminalId, TerminalInfo } from "@belay/protocol";

/** What the console hears about. It says that something changed; queries say what. */
export type GatewayEvent =
  | { type: "terminal"; event: "created" | "changed" | "promoted" | "closed"; terminal: TerminalInfo }
  | { type: "approval"; event: "asked" | "settled"; approval: Approval }
  /** It is known now what a command changed, or it was taken back. */
  | { type: "changes"; commandId: CommandId }
  | { type: "freeze" }
  | { type: "policy" }
  | { type: "agent"; event: "added" | "changed" | "revoked"; agentId: AgentId }
  /** Somebody opened a terminal to watch it, or went away. */
  | { type: "presence"; terminalId: TerminalId }
  | { type: "settings" }
  /** Somebody was added or removed, has another role, or is no longer signed in somewhere. */
  | { type: "person" }
  | { type: "hostLost" };

/** How many events a console that lost its connection can catch up on. */
const KEPT_EVENTS = 1000;

/** Hands events to everyone who listens, and keeps the last ones for those who come back. */
export class EventBus {
  readonly #listeners = new Set<(id: number, event: GatewayEvent) => void>();
  readonly #kept: { id: number; event: GatewayEvent }[] = [];
  #lastId = 0;

  publish(event: GatewayEvent): void {
    this.#lastId += 1;
    this.#kept.push({ id: this.#lastId, event });
    if (this.#kept.length > KEPT_EVENTS) this.#kept.shift();
    for (const listener of this.#listeners) listener(this.#lastId, event);
  }

  /** Hears everything from now on, until the function that it gets is called. */
  subscribe(listener: (event: GatewayEvent) => void): () => void {
    const entry = (_id: number, event: GatewayEvent) => listener(event);
    this.#listeners.add(entry);
    return () => void this.#listeners.delete(entry);
  }

  /** Everything after `afterId`, then what comes, until the signal. */
  async *follow(afterId: number | null, signal: AbortSignal): AsyncGenerator<{ id: number; event: GatewayEvent }> {
    const queue = afterId === null ? [] : this.#kept.filter(({ id }) => id > afterId);
    let wake: (() => void) | null = null;
    const listener = (id: number, event: GatewayEvent) => {
      queue.push({ id, event });
      // A console that reads nothing keeps the newest; its queries tell it the rest.
      if (queue.length > KEPT_EVENTS) queue.shift();
      wake?.();
    };
    this.#listeners.add(listener);
    const onAbort = () => wake?.();
    signal.addEventListener("abort", onAbort);
    try {
      while (!signal.aborted) {
        const next = queue.shift();
        if (next) yield next;
        else await new Promise<void>((resolve) => (wake = resolve));
      }
    } finally {
      this.#listeners.delete(listener);
      signal.removeEventListener("abort", onAbort);
    }
  }
}
