import type { TerminalLimits } from "../pool/requests.ts";

export interface TerminalClockOptions {
  limits: TerminalLimits;
  /** A terminal with a running command is not idle, even if it is silent. */
  isAtWork: () => boolean;
  close: (reason: "idle" | "expired") => void;
}

/** Closes a terminal that is idle for too long, or at the end of its lifetime. */
export class TerminalClock {
  readonly #options: TerminalClockOptions;
  #usedAt = performance.now();
  #idle: NodeJS.Timeout | null = null;
  #lifetime: NodeJS.Timeout | null = null;

  constructor(options: TerminalClockOptions) {
    this.#options = options;
    const { idleTimeoutMs, maxLifetimeMs } = options.limits;
    if (idleTimeoutMs !== null) this.#scheduleIdle(idleTimeoutMs, idleTimeoutMs);
    if (maxLifetimeMs !== null) this.#lifetime = setTimeout(() => options.close("expired"), maxLifetimeMs);
  }

  /** Cheap, because it is called for every chunk of output. */
  touch(): void {
    this.#usedAt = performance.now();
  }

  /** Stops all limits. */
  stop(): void {
    if (this.#idle) clearTimeout(this.#idle);
    if (this.#lifetime) clearTimeout(this.#lifetime);
  }

  #scheduleIdle(idleTimeoutMs: number, waitMs: number): void {
    this.#idle = setTimeout(() => {
      if (this.#options.isAtWork()) this.touch();
      const leftMs = idleTimeoutMs - (performance.now() - this.#usedAt);
      if (leftMs > 0) this.#scheduleIdle(idleTimeoutMs, leftMs);
      else this.#options.close("idle");
    }, waitMs);
  }
}
