import type { Agents } from "../agents/agents.ts";
import type { EventBus } from "../events.ts";
import type { Caller } from "./caller.ts";
import type { People } from "./people.ts";

/** The longest delay of a timer is 24 days; sessions that last longer are checked again then. */
const LONGEST_TIMER_MS = 24 * 3_600_000;

interface Watch {
  caller: Caller;
  onLost: () => void;
  timer: NodeJS.Timeout | undefined;
}

/**
 * Closes connections whose session has ended or expired, whose person's role changed, or whose agent was revoked.
 * After any change all connections are checked again, so that no case can be missed.
 */
export class AccessGuard {
  readonly #people: People;
  readonly #agents: Agents;
  readonly #now: () => number;
  readonly #watches = new Set<Watch>();
  readonly #unsubscribe: () => void;

  constructor({
    people,
    agents,
    events,
    now,
  }: { people: People; agents: Agents; events: EventBus; now: () => number }) {
    this.#people = people;
    this.#agents = agents;
    this.#now = now;
    this.#unsubscribe = events.subscribeToAll(({ type }) => {
      if (type === "person" || type === "agent") for (const watch of this.#watches) void this.#look(watch);
    });
  }

  /** Calls `onLost` once, when the caller has lost access. Returns a function that stops watching. */
  watch(caller: Caller, onLost: () => void): () => void {
    const watch: Watch = { caller, onLost, timer: undefined };
    this.#watches.add(watch);
    this.#arm(watch, endOf(caller));
    return () => this.#drop(watch);
  }

  close(): void {
    this.#unsubscribe();
    for (const watch of this.#watches) this.#drop(watch);
  }

  async #look(watch: Watch): Promise<void> {
    // If the check fails, close the connection.
    const endsAt = await this.#goodUntil(watch.caller).catch(() => null);
    if (!this.#watches.has(watch)) return;
    if (endsAt !== null) return this.#arm(watch, endsAt);
    this.#drop(watch);
    watch.onLost();
  }

  /** Null if it has ended already. */
  async #goodUntil(caller: Caller): Promise<number | null> {
    if (caller.type === "person") {
      const found = await this.#people.findSession(caller.session.id);
      return found && found.person.role === caller.person.role ? found.session.expiresAt : null;
    }
    if (caller.type === "agent") {
      const agent = (await this.#agents.list()).find(({ id }) => id === caller.agent.id);
      return agent && this.#agents.isActive(agent) ? (agent.expiresAt ?? Number.POSITIVE_INFINITY) : null;
    }
    return Number.POSITIVE_INFINITY;
  }

  #arm(watch: Watch, endsAt: number): void {
    clearTimeout(watch.timer);
    if (endsAt === Number.POSITIVE_INFINITY) return;
    const wait = Math.min(Math.max(0, endsAt - this.#now()), LONGEST_TIMER_MS);
    watch.timer = setTimeout(() => void this.#look(watch), wait).unref();
  }

  #drop(watch: Watch): void {
    clearTimeout(watch.timer);
    this.#watches.delete(watch);
  }
}

function endOf(caller: Caller): number {
  if (caller.type === "person") return caller.session.expiresAt;
  return (caller.type === "agent" ? caller.agent.expiresAt : null) ?? Number.POSITIVE_INFINITY;
}
