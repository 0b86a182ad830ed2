/**
 * The reasons to hold a terminal's program back: it continues once there are none.
 *
 * There are two, the recording and the viewers, and each knows only its own.
 */
export class Holds {
  readonly #pty: { pause(): void; resume(): void };
  #count = 0;

  constructor(pty: { pause(): void; resume(): void }) {
    this.#pty = pty;
  }

  /** One reason, which can be held and released repeatedly. */
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
