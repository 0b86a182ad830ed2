export interface HeartbeatOptions {
  everyMs: number;
  /** A host that is silent for this long counts as hanging. */
  hungAfterMs: number;
}

export const HEARTBEAT: HeartbeatOptions = { everyMs: 3_000, hungAfterMs: 9_000 };

interface HeartbeatEvents {
  /** Makes the other side send something. */
  ping: () => void;
  onHung: (silentMs: number) => void;
}

/** Detects whether the other side of a connection is still working, which an open socket does not show. */
export class Heartbeat {
  readonly #options: HeartbeatOptions;
  readonly #events: HeartbeatEvents;
  readonly #timer: NodeJS.Timeout;
  #heardAt = performance.now();
  #beatAt = performance.now();
  #isHung = false;

  constructor(options: HeartbeatOptions, events: HeartbeatEvents) {
    this.#options = options;
    this.#events = events;
    this.#timer = setInterval(() => this.#beat(), options.everyMs).unref();
  }

  get isHung(): boolean {
    return this.#isHung;
  }

  get silentMs(): number {
    return performance.now() - this.#heardAt;
  }

  /** A message came. */
  heard(): void {
    this.#heardAt = performance.now();
    this.#isHung = false;
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #beat(): void {
    const now = performance.now();
    // This process itself did not run: messages sent meanwhile are still unread.
    const wasAwake = now - this.#beatAt < 2 * this.#options.everyMs;
    this.#beatAt = now;
    if (!wasAwake) this.#heardAt = Math.max(this.#heardAt, now - this.#options.everyMs);
    const silentMs = now - this.#heardAt;
    if (!this.#isHung && silentMs >= this.#options.hungAfterMs) {
      this.#isHung = true;
      this.#events.onHung(silentMs);
    }
    this.#events.ping();
  }
}
