/** Flow control for one viewer: the sent and the acknowledged position. */
export class Credit {
  readonly #windowBytes: number;
  #sent: number;
  #acknowledged: number;
  /** The position of a snapshot that moved the viewer: earlier bytes no longer count. */
  #movedTo: number;
  #waiting: (() => void) | null = null;

  constructor(position: number, windowBytes: number) {
    this.#windowBytes = windowBytes;
    this.#sent = position;
    this.#acknowledged = position;
    this.#movedTo = position;
  }

  /** After the last byte that was sent. */
  get sent(): number {
    return this.#sent;
  }

  /** A snapshot replaces everything before its position. */
  moveTo(position: number): void {
    this.#sent = position;
    this.#movedTo = position;
    this.release();
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
    return this.#sent - Math.max(this.#acknowledged, this.#movedTo) < this.#windowBytes;
  }
}
