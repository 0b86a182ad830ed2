/**
 * The gateway's time on a machine whose own clock may be wrong.
 *
 * It never runs behind the gateway's clock, so that a deadline that has passed never seems to be in the future. So the
 * full duration of the handshake is added, and of the machine's two clocks the one that advanced further is used: the
 * monotonic clock stops while a laptop sleeps, and the wall clock may be set back.
 */
export class GatewayClock {
  readonly #startedAt: number;
  readonly #monotonicStart = performance.now();
  readonly #wallStart = Date.now();

  constructor(gatewayNow: number, waitedMs: number) {
    this.#startedAt = gatewayNow + waitedMs;
  }

  now(): number {
    return this.#startedAt + Math.max(this.#monotonicMs(), this.#wallMs());
  }

  /** The machine slept, or its clock was set: everything looks late until it reconnects. */
  get isOff(): boolean {
    return Math.abs(this.#monotonicMs() - this.#wallMs()) > 1_000;
  }

  #monotonicMs(): number {
    return performance.now() - this.#monotonicStart;
  }

  #wallMs(): number {
    return Date.now() - this.#wallStart;
  }
}
