import type { Pen, TerminalId } from "@belay/protocol";

/**
 * Replies that emulators send by themselves when a program queries them: device attributes, cursor
 * position, colours, focus. Nothing that a person types looks like this.
 */
const REPLY =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: terminals speak in control characters
  /^(?:\x1b\[(?:[?>=]?[\d;]*c|\??\d+(?:;\d+)*R|\??\d+n|\?[\d;]+\$y|[\d;]+t|[IO])|\x1b\][\d;]+;rgb:[\da-fA-F/]+(?:\x07|\x1b\\)|\x1bP[^\x1b]*\x1b\\)+$/;

export interface PenPerson {
  id: string;
  name: string;
}

/** A window on a terminal. */
export interface PenWindow {
  /** Another person asks to type. */
  penAsked(id: TerminalId, by: PenPerson): void;
}

interface Held {
  window: PenWindow;
  person: PenPerson;
}

/** What happened to a window's input. */
export type PenAnswer = "passes" | "dropped" | { heldBy: string };

/**
 * The pens: which window of which person may type into each terminal that people hold.
 *
 * Only that window types and sets the size. A free pen goes to the first person who
 * types; a person's own pen follows them from window to window. Another person's is asked for, or taken.
 */
export class Pens {
  readonly #held = new Map<TerminalId, Held>();
  readonly #asking = new Map<TerminalId, Held[]>();
  readonly #listeners = new Set<(id: TerminalId) => void>();

  /** Who has it, as this window sees it. */
  of(id: TerminalId, window: PenWindow): Pen | null {
    const held = this.#held.get(id);
    return held ? { personId: held.person.id, name: held.person.name, isYou: held.window === window } : null;
  }

  /** Whether this window's input is passed on to the terminal. */
  types(id: TerminalId, window: PenWindow, person: PenPerson, input: string | Uint8Array): PenAnswer {
    const held = this.#held.get(id);
    if (held?.window === window) return "passes";
    const text = typeof input === "string" ? input : Buffer.from(input).toString("latin1");
    // Every attached emulator replies to a query. Only the reply of the pen's holder counts.
    if (REPLY.test(text)) return held ? "dropped" : "passes";
    if (held && held.person.id !== person.id) return { heldBy: held.person.name };
    this.take(id, window, person);
    return "passes";
  }

  /** Whether this window sets the size. A second window of the holder does not. */
  resizes(id: TerminalId, window: PenWindow, person: PenPerson): PenAnswer {
    const held = this.#held.get(id);
    if (held?.window === window) return "passes";
    if (held) return held.person.id === person.id ? "dropped" : { heldBy: held.person.name };
    this.take(id, window, person);
    return "passes";
  }

  /** Takes it from its holder; returns who that was. */
  take(id: TerminalId, window: PenWindow, person: PenPerson): PenPerson | null {
    const before = this.#held.get(id)?.person ?? null;
    this.#held.set(id, { window, person });
    this.#asking.delete(id);
    this.#changed(id);
    return before;
  }

  ask(id: TerminalId, window: PenWindow, person: PenPerson): void {
    const held = this.#held.get(id);
    if (!held) return void this.take(id, window, person);
    const others = (this.#asking.get(id) ?? []).filter((asking) => asking.person.id !== person.id);
    this.#asking.set(id, [...others, { window, person }]);
    held.window.penAsked(id, person);
  }

  /** Releases the pen, or hands it to a person who asked for it. */
  give(id: TerminalId, window: PenWindow, toPersonId: string | null): void {
    if (this.#held.get(id)?.window !== window) return;
    const next = this.#asking.get(id)?.find(({ person }) => person.id === toPersonId);
    if (next) return void this.take(id, next.window, next.person);
    this.forget(id);
  }

  /** A window was closed. */
  drop(window: PenWindow): void {
    for (const [id, asking] of this.#asking)
      this.#asking.set(
        id,
        asking.filter((each) => each.window !== window),
      );
    for (const [id, held] of this.#held) if (held.window === window) this.forget(id);
  }

  /** The terminal is gone, or its agent's again. */
  forget(id: TerminalId): void {
    this.#asking.delete(id);
    if (this.#held.delete(id)) this.#changed(id);
  }

  /** Reports whose pen has moved, until the returned function is called. */
  subscribe(listener: (id: TerminalId) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  #changed(id: TerminalId): void {
    for (const listener of this.#listeners) listener(id);
  }
}
