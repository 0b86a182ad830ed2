import { SLAB_BYTES } from "../output/slabs.ts";

/** A terminal that can wait for its turn. */
export interface Flooding {
  waitForTurn(): void;
  takeTurn(): void;
}

/** How long floods stay slow after a key: longer than the pause between two keys of a person who types. */
const TYPING_MS = 500;
/**
 * Meanwhile one flood has a turn this often, which comes to 4 MB a second for all of them together. Turns are short,
 * because a key that comes during one waits until the host, the gateway and the browser are done with it.
 */
const SLOW_TURN_MS = 4;
const SLOW_TURN_BYTES = SLAB_BYTES / 4;

/**
 * Reads flooding terminals in turns.
 *
 * The event loop reads everything that is ready before it does anything else, up to 128 KB of each terminal. With ten
 * floods a keystroke would wait for a megabyte, and its echo for another one. So only one flooding terminal is read
 * at a time; after each turn everything else that is ready goes first. Other terminals are always read.
 *
 * That is not enough for a person who types: the programs that flood, this process, the gateway and the browser all
 * need a processor for the same bytes, and a key waits for one at every step. So while a person types, floods are
 * slowed down to a rate that leaves the processors idle most of the time.
 */
export class FloodTurns {
  #current: Flooding | null = null;
  readonly #waiting: Flooding[] = [];
  #next: NodeJS.Immediate | null = null;
  /** Set while a person types. */
  #typing: NodeJS.Timeout | null = null;
  #slowTurn: NodeJS.Timeout | null = null;

  /** How much a terminal may read in a turn. */
  get turnBytes(): number {
    return this.#typing ? SLOW_TURN_BYTES : SLAB_BYTES;
  }

  /** It has used up its turn, and there is more to read. */
  spend(terminal: Flooding): void {
    if (!this.#typing) {
      if (this.#current === null && this.#waiting.length === 0) this.#current = terminal;
      if (this.#current === terminal && this.#waiting.length === 0) return;
    }
    if (this.#current === terminal) this.#current = null;
    this.#waiting.push(terminal);
    terminal.waitForTurn();
    this.#plan();
  }

  /** It has nothing to read at the moment, or waits for something else. */
  leave(terminal: Flooding): void {
    const at = this.#waiting.indexOf(terminal);
    if (at >= 0) this.#waiting.splice(at, 1);
    if (this.#current === terminal) this.#current = null;
    this.#plan();
  }

  /** A person has pressed a key. */
  typed(): void {
    if (this.#typing) this.#typing.refresh();
    else this.#typing = setTimeout(() => this.#stoppedTyping(), TYPING_MS).unref();
  }

  #stoppedTyping(): void {
    this.#typing = null;
    if (this.#slowTurn) clearTimeout(this.#slowTurn);
    this.#slowTurn = null;
    this.#plan();
  }

  #plan(): void {
    if (this.#current !== null || this.#waiting.length === 0) return;
    if (this.#typing) {
      this.#slowTurn ??= setTimeout(() => {
        this.#slowTurn = null;
        this.#takeNext();
      }, SLOW_TURN_MS);
      return;
    }
    this.#next ??= setImmediate(() => {
      this.#next = null;
      this.#takeNext();
    });
  }

  #takeNext(): void {
    if (this.#current !== null) return;
    this.#current = this.#waiting.shift() ?? null;
    this.#current?.takeTurn();
  }
}

/** All terminals of a process share its event loop. */
export const floodTurns = new FloodTurns();
