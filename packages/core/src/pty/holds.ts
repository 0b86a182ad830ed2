/**
 * Who has a terminal's program wait: it goes on once none of them does.
 *
 * Two have a reason, the recording and those who watch, and each knows only its own.
 */
export class Holds {
  readonly #pty: { pause(): void; resume(): void };
  #count = 0;

  constructor(pty: { pause(): void; resume(): void }) {
    this.#pty = pty;
  }

  /** One reason to wait, which can be held and released again and again. */
  reason(): { hold(): void; release(): void } {
    let isHeld = false;
    return {
      hold: () => {
        if (isHeld) return;
        isHeld = true;
        if (++this.#count === 1) this.#pty.pause();
      },
      release: () => {
        if (!isHeld) return;
        isHeld = false;
        if (--this.#count === 0) this.#pty.resume();
      },
    };
  }
}
