import type { TerminalId } from "@belay/protocol";

/** One channel number per terminal, shared by all viewers, so that a frame is encoded once and sent to everyone. */
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
