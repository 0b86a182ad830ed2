import type { Approval } from "@belay/protocol";

interface Deps {
  /** How long a question waits before it is passed on; null: it is not. */
  afterMs: () => number | null;
  now: () => number;
  onDue: (approval: Approval) => void;
}

/**
 * When each waiting question is passed on. The time counts from when it was asked, so a restart of the gateway does
 * not start it again, and a change of the policy also applies to questions that wait already.
 */
export class PassOnTimers {
  readonly #deps: Deps;
  readonly #waiting = new Map<string, { approval: Approval; timer: NodeJS.Timeout | null }>();

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  arm(approval: Approval): void {
    this.drop(approval.id);
    const afterMs = this.#deps.afterMs();
    const leftMs = afterMs === null ? null : Math.max(0, approval.createdAt + afterMs - this.#deps.now());
    const timer = leftMs === null ? null : setTimeout(() => this.#pass(approval), leftMs);
    this.#waiting.set(approval.id, { approval, timer });
  }

  /** The policy has changed: what waits is passed on by the new one. */
  armAgain(): void {
    for (const { approval } of [...this.#waiting.values()]) this.arm(approval);
  }

  drop(id: string): void {
    const waiting = this.#waiting.get(id);
    if (waiting?.timer) clearTimeout(waiting.timer);
    this.#waiting.delete(id);
  }

  close(): void {
    for (const id of [...this.#waiting.keys()]) this.drop(id);
  }

  /** Once: from here on there is nothing to arm any more. */
  #pass(approval: Approval): void {
    this.drop(approval.id);
    this.#deps.onDue(approval);
  }
}
