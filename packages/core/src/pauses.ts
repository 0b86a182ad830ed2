/**
 * Keeps long work to a share of the time (0 to 1): each pause is as long as the work since the last one requires.
 *
 * On a busy machine the same work takes longer, and so do the pauses.
 */
export class Pauses {
  readonly #share: number;
  #resumedAt = performance.now();

  constructor(share: number) {
    this.#share = share;
  }

  async pause(): Promise<void> {
    const workedMs = performance.now() - this.#resumedAt;
    await new Promise((resolve) => setTimeout(resolve, (workedMs * (1 - this.#share)) / this.#share));
    this.#resumedAt = performance.now();
  }
}
