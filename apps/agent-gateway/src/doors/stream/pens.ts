import type { TerminalId } from "@belay/protocol";

/**
 * What emulators send by themselves when a program asks them something: what they are, where the
 * cursor is, their colours, whether they have the focus. Nothing that a person types looks like it.
 */
const REPLY =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: terminals speak in control characters
  /^(?:\x1b\[(?:[?>=]?[\d;]*c|\??\d+(?:;\d+)*R|\??\d+n|\?[\d;]+\$y|[\d;]+t|[IO])|\x1b\][\d;]+;rgb:[\da-fA-F/]+(?:\x07|\x1b\\)|\x1bP[^\x1b]*\x1b\\)+$/;

/**
 * Who types into each terminal. Everyone who watches has an emulator, and each answers what the
 * program asks: only the answer of the one who typed last counts, the others' are dropped.
 */
export class Pens {
  readonly #holders = new Map<TerminalId, object>();

  /** Whether this viewer's input is passed on to the terminal. */
  passes(id: TerminalId, viewer: object, input: string | Uint8Array): boolean {
    const text = typeof input === "string" ? input : Buffer.from(input).toString("latin1");
    if (REPLY.test(text)) return (this.#holders.get(id) ?? viewer) === viewer;
    this.#holders.set(id, viewer);
    return true;
  }

  drop(viewer: object): void {
    for (const [id, holder] of this.#holders) if (holder === viewer) this.#holders.delete(id);
  }
}
