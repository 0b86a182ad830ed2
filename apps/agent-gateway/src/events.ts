import type { AgentId, Approval, CommandId, TerminalId, TerminalInfo } from "@belay/protocol";

/** Events for consoles. They say that something changed; queries say what. */
export type GatewayEvent =
  | { type: "terminal"; event: "created" | "changed" | "promoted" | "closed"; terminal: TerminalInfo }
  | { type: "approval"; event: "asked" | "previewed" | "settled"; approval: Approval }
  /** A command's changes are known now, or were undone. */
  | { type: "changes"; commandId: CommandId }
  | { type: "freeze" }
  | { type: "policy" }
  | { type: "agent"; event: "added" | "changed" | "revoked"; agentId: AgentId }
  /** A viewer attached to a terminal, or left. */
  | { type: "presence"; terminalId: TerminalId }
  /** A machine was added or revoked, connected or went away. */
  | { type: "machine"; name: string }
  | { type: "settings" }
  /** A person was added, removed, given another role, or signed out of a session. */
  | { type: "person" }
  | { type: "hostLost" }
  /** Another gateway appeared, went away, or judges nothing for now. */
  | { type: "gateways" };

type EventPlace = "here" | "elsewhere";

/** How many events are kept for a console that reconnects. */
const KEPT_EVENTS = 1000;

/** Delivers events to all subscribers, and keeps the latest for consoles that reconnect. */
export class EventBus {
  readonly #listeners = new Set<(id: number, event: GatewayEvent, place: EventPlace) => void>();
  readonly #kept: { id: number; event: GatewayEvent }[] = [];
  #lastId = 0;

  /** `place` says whether it happened at this gateway, or at another one that told this one. */
  publish(event: GatewayEvent, place: EventPlace = "here"): void {
    this.#lastId += 1;
    this.#kept.push({ id: this.#lastId, event });
    if (this.#kept.length > KEPT_EVENTS) this.#kept.shift();
    for (const listener of this.#listeners) listener(this.#lastId, event, place);
  }

  /** Subscribes to the events of this gateway from now on, until the returned function is called. */
  subscribe(listener: (event: GatewayEvent) => void): () => void {
    return this.subscribeToAll((event, place) => {
      if (place === "here") listener(event);
    });
  }

  /** The same with the events of other gateways. */
  subscribeToAll(listener: (event: GatewayEvent, place: EventPlace) => void): () => void {
    const entry = (_id: number, event: GatewayEvent, place: EventPlace) => listener(event, place);
    this.#listeners.add(entry);
    return () => void this.#listeners.delete(entry);
  }

  /** Everything after `afterId`, then live events, until the signal. */
  async *follow(afterId: number | null, signal: AbortSignal): AsyncGenerator<{ id: number; event: GatewayEvent }> {
    const queue = afterId === null ? [] : this.#kept.filter(({ id }) => id > afterId);
    let wake: (() => void) | null = null;
    const listener = (id: number, event: GatewayEvent) => {
      queue.push({ id, event });
      // A slow console keeps only the newest; its queries fetch the rest.
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
