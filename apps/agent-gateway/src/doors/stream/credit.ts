/** How much a viewer has been sent and has acknowledged, so that a slow one is not buried. */
export class Credit {
  readonly #windowBytes: number;
  #sent: number;
  #acknowledged: number;
  #waiting: (() => void) | null = null;

  constructor(position: number, windowBytes: number) {
    this.#windowBytes = windowBytes;
    this.#sent = position;
    this.#acknowledged = position;
  }

  /** Counts bytes as sent; the promise settles once the window has room again. */
  spend(position: number): Promise<void> | undefined {
    this.#sent = position;
    if (this.#hasRoom()) return undefined;
    return new Promise((resolve) => {
      this.#waiting = resolve;
    });
  }

  /** False where the position was never sent, or goes backwards. */
  acknowledge(position: number): boolean {
    if (position > this.#sent || position < this.#acknowledged) return false;
    this.#acknowledged = position;
    if (this.#hasRoom()) this.release();
    return true;
  }

  release(): void {
    this.#waiting?.();
    this.#waiting = null;
  }

  #hasRoom(): boolean {
    return this.#sent - this.#acknowledged < this.#windowBytes;
  }
}
