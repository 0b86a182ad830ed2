import type { Logger } from "pino";
import type { Bus } from "../bus/bus.ts";

interface Deps {
  bus: Bus;
  /** How long this gateway may go without hearing anything. */
  deafAfterMs: number;
  /** Reads from the database what was missed: the policy, answers, revoked rights. */
  catchUp: () => Promise<void>;
  onChanged: () => void;
  log: Logger;
}

type State =
  | { status: "hears" }
  /** It heard nothing for too long, or has not read yet what it missed. */
  | { status: "deaf"; since: number };

const CATCH_UP_AGAIN_MS = 500;

/**
 * Whether this gateway hears the bus. One that does not may have missed that the policy was tightened or a right was
 * taken away, so it judges nothing until it hears again and has read what it missed.
 *
 * It hears its own heartbeats as well as those of others, so a gateway that is alone is not deaf. Time is monotonic:
 * after a stop of the process (or of the machine) it is deaf at once, before the first command.
 */
export class Hearing {
  readonly #deps: Deps;
  readonly #unsubscribe: () => void;
  readonly #stopStates: () => void;
  #heardAt = performance.now();
  #state: State = { status: "deaf", since: performance.now() };
  #catchingUp: Promise<void> | null = null;
  #isClosed = false;

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#unsubscribe = deps.bus.subscribe(() => this.#heard());
    this.#stopStates = deps.bus.onState((state) => {
      // Signals may be lost even in a short break.
      if (state === "connected") void this.#catchUp();
    });
  }

  /** Why nothing may be judged now; null if it may. */
  problem(): string | null {
    const now = performance.now();
    if (now - this.#heardAt > this.#deps.deafAfterMs && this.#state.status === "hears") this.#become("deaf");
    if (this.#state.status === "hears") return null;
    const seconds = Math.round((now - Math.min(this.#heardAt, this.#state.since)) / 1000);
    return this.#deps.bus.state === "disconnected"
      ? `The NATS server has not been connected for ${seconds} s, so this gateway may have missed a change of the policy. It judges nothing until it is connected again.`
      : `This gateway has not heard from the NATS server for ${seconds} s, so it may have missed a change of the policy. It judges nothing until it has read what it missed.`;
  }

  /** Waits for the first sign of the bus, at most this long. */
  async firstHeard(timeoutMs: number): Promise<void> {
    const until = performance.now() + timeoutMs;
    while (this.problem() !== null && performance.now() < until)
      await new Promise((resolve) => setTimeout(resolve, 10));
  }

  close(): void {
    this.#isClosed = true;
    this.#unsubscribe();
    this.#stopStates();
  }

  #heard(): void {
    // First: what was missed before this moment has to be read, even if the gap is over now.
    this.problem();
    this.#heardAt = performance.now();
    if (this.#state.status === "deaf") void this.#catchUp();
  }

  #catchUp(): Promise<void> {
    this.#catchingUp ??= this.#readMissed().finally(() => {
      this.#catchingUp = null;
    });
    return this.#catchingUp;
  }

  async #readMissed(): Promise<void> {
    while (!this.#isClosed) {
      const startedAt = performance.now();
      try {
        await this.#deps.catchUp();
        // Only if it heard something meanwhile is it known that nothing was missed after the reading.
        if (this.#heardAt >= startedAt || startedAt - this.#heardAt <= this.#deps.deafAfterMs) this.#become("hears");
        return;
      } catch (error) {
        this.#become("deaf");
        this.#deps.log.warn({ err: error }, "what other gateways changed could not be read yet; trying again");
        await new Promise((resolve) => setTimeout(resolve, CATCH_UP_AGAIN_MS).unref());
      }
    }
  }

  #become(status: State["status"]): void {
    if (this.#state.status === status || this.#isClosed) return;
    this.#state = status === "hears" ? { status } : { status, since: performance.now() };
    if (status === "hears") this.#deps.log.info("this gateway hears the others");
    else this.#deps.log.error("this gateway does not hear the others, and judges nothing until it does");
    this.#deps.onChanged();
  }
}
