export interface HeartbeatOptions {
  everyMs: number;
  /** A host that is silent for so long does not work any more. */
  hungAfterMs: number;
}

export const HEARTBEAT: HeartbeatOptions = { everyMs: 3_000, hungAfterMs: 9_000 };

interface HeartbeatEvents {
  /** Has the other side say something. */
  ping: () => void;
  onHung: (silentMs: number) => void;
}

/** Tells whether the other side of a connection is still at work, which an open socket does not say. */
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

  /** Something came. */
  heard(): void {
    this.#heardAt = performance.now();
    this.#isHung = false;
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #beat(): void {
    const now = performance.now();
    // It was this process that did not run: what the other side said in the meantime is still to be read.
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
