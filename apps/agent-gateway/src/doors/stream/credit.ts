/** Flow control for one viewer: what it was sent and has acknowledged. */
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

  /** Counts bytes as sent; resolves once the window has room again. */
  spend(position: number): Promise<void> | undefined {
    this.#sent = position;
    if (this.#hasRoom()) return undefined;
    return new Promise((resolve) => {
      this.#waiting = resolve;
    });
  }

  /** Returns false for a position that was never sent, or that goes backwards. */
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
