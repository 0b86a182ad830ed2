/**
 * The gateway's time on a machine whose own clock may be wrong.
 *
 * It never runs behind the gateway's clock, so that a deadline is never taken to be in the future when it has passed:
 * the whole time of the handshake is added, and of the machine's two clocks the one that advanced further counts.
 * The monotonic one stands still while a laptop sleeps; the other one may be set back.
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
