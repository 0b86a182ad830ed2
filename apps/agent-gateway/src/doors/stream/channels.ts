import type { TerminalId } from "@belay/protocol";

/** Gives each terminal one number for all viewers, so that a frame can be built once and sent to everyone. */
export class Channels {
  readonly #byTerminal = new Map<TerminalId, number>();
  #last = 0;

  of(id: TerminalId): number {
    const known = this.#byTerminal.get(id);
    if (known !== undefined) return known;
    this.#last += 1;
    this.#byTerminal.set(id, this.#last);
    return this.#last;
  }
}
