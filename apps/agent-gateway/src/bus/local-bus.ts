import { type Bus, BusError, type BusState } from "./bus.ts";
import type { BusAnswer, BusQuestion, BusSignal } from "./messages.ts";

type Answerer = (question: BusQuestion, from: string) => Promise<BusAnswer>;

/** Where the buses of one process meet. A gateway without NATS is alone on its own. */
export class LocalHub {
  readonly members = new Map<string, LocalBus>();

  join(self: string): LocalBus {
    const bus = new LocalBus(self, this);
    this.members.set(self, bus);
    return bus;
  }
}

/** The bus of gateways in the same process; the default, with one gateway on it. */
export class LocalBus implements Bus {
  readonly self: string;
  readonly #hub: LocalHub;
  readonly #listeners = new Set<(signal: BusSignal, from: string) => void>();
  #answer: Answerer | null = null;
  #state: BusState = "connected";

  constructor(self: string, hub: LocalHub) {
    this.self = self;
    this.#hub = hub;
  }

  get state(): BusState {
    return this.#state;
  }

  publish(signal: BusSignal): void {
    if (this.#state === "disconnected") return;
    // Later, as from a network: a listener must not run inside its own publisher.
    for (const member of this.#hub.members.values()) queueMicrotask(() => member.#hear(signal, this.self));
  }

  subscribe(listener: (signal: BusSignal, from: string) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  async ask(to: string, question: BusQuestion, timeoutMs: number): Promise<BusAnswer> {
    const member = this.#hub.members.get(to);
    const answer = member ? member.#answer : null;
    if (this.#state === "disconnected" || !answer) throw new BusError(`Gateway ${to} is not connected.`);
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new BusError(`Gateway ${to} did not answer within ${timeoutMs} ms.`)), timeoutMs);
    });
    return Promise.race([answer(question, this.self), late]).finally(() => clearTimeout(timer));
  }

  serve(answer: Answerer): void {
    this.#answer = answer;
  }

  /** All of them are in this process. */
  hasRefusedLately(): boolean {
    return false;
  }

  /** Its connection never changes. */
  onState(): () => void {
    return () => {};
  }

  async close(): Promise<void> {
    this.#state = "disconnected";
    this.#hub.members.delete(this.self);
    this.#listeners.clear();
  }

  #hear(signal: BusSignal, from: string): void {
    for (const listener of this.#listeners) listener(signal, from);
  }
}
