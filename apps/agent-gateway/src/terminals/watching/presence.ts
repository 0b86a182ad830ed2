import type { TerminalId } from "@belay/protocol";
import type { EventBus } from "../../events.ts";
import type { Caller } from "../../people/caller.ts";

/** A viewer that has a terminal open. */
export interface Watcher {
  kind: "person" | "agent" | "guest";
  /** The id of the person, the agent or the share link. */
  id: string;
  /** The name to show; a guest has none. */
  name: string | null;
}

/** Who watches which terminal. Not stored, because it lasts only as long as the sockets. */
export class Presence {
  readonly #events: EventBus;
  readonly #watching = new Map<TerminalId, Map<symbol, Watcher>>();

  constructor({ events }: { events: EventBus }) {
    this.#events = events;
  }

  /** Adds a viewer; call the returned function when it leaves. */
  join(terminalId: TerminalId, caller: Caller): () => void {
    const watcher = watcherOf(caller);
    if (!watcher) return () => {};
    const key = Symbol(watcher.id);
    const watchers = this.#watching.get(terminalId) ?? new Map<symbol, Watcher>();
    this.#watching.set(terminalId, watchers.set(key, watcher));
    this.#events.publish({ type: "presence", terminalId });
    return () => {
      if (!watchers.delete(key)) return;
      if (watchers.size === 0) this.#watching.delete(terminalId);
      this.#events.publish({ type: "presence", terminalId });
    };
  }

  /** Each viewer once, even with several windows. */
  of(terminalId: TerminalId): Watcher[] {
    const watchers = [...(this.#watching.get(terminalId)?.values() ?? [])];
    return [...new Map(watchers.map((watcher) => [`${watcher.kind} ${watcher.id}`, watcher])).values()];
  }
}

function watcherOf(caller: Caller): Watcher | null {
  switch (caller.type) {
    case "person":
      return { kind: "person", id: caller.person.id, name: caller.person.name };
    case "agent":
      return { kind: "agent", id: caller.agent.id, name: caller.agent.name };
    case "guest":
      return { kind: "guest", id: caller.link.id, name: null };
    case "local":
    case "anonymous":
      return null;
  }
}
