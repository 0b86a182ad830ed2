import { type ScreenSnapshot, TextRenderer } from "@belay/core";
import type { TerminalId, TerminalInfo } from "@belay/protocol";

/** The size of a card. */
const LINES = 12;
const MAX_LINE_LENGTH = 160;
/** A busy terminal is redrawn at most this often, regardless of the number of viewers. */
const FRESH_FOR_MS = 700;

interface Miniature {
  position: number;
  takenAt: number;
  lines: string[];
}

/** The last lines of each terminal as plain text, for the overview. */
export class Miniatures {
  readonly #snapshot: (id: TerminalId, options: { scrollbackLines: number }) => Promise<ScreenSnapshot | null>;
  readonly #now: () => number;
  readonly #renderer = new TextRenderer();
  readonly #taken = new Map<TerminalId, Miniature>();
  readonly #underWay = new Map<TerminalId, Promise<string[]>>();

  constructor(deps: {
    snapshot: (id: TerminalId, options: { scrollbackLines: number }) => Promise<ScreenSnapshot | null>;
    now: () => number;
  }) {
    this.#snapshot = deps.snapshot;
    this.#now = deps.now;
  }

  async of(terminals: readonly TerminalInfo[]): Promise<{ id: TerminalId; lines: string[] }[]> {
    return Promise.all(terminals.map(async (terminal) => ({ id: terminal.id, lines: await this.#linesOf(terminal) })));
  }

  forget(id: TerminalId): void {
    this.#taken.delete(id);
  }

  close(): Promise<void> {
    return this.#renderer.close();
  }

  #linesOf({ id, position }: TerminalInfo): string[] | Promise<string[]> {
    const known = this.#taken.get(id);
    if (known && (known.position === position || this.#now() - known.takenAt < FRESH_FOR_MS)) return known.lines;
    const underWay = this.#underWay.get(id);
    if (underWay !== undefined) return underWay;
    const drawing = this.#draw(id).finally(() => this.#underWay.delete(id));
    this.#underWay.set(id, drawing);
    return drawing;
  }

  async #draw(id: TerminalId): Promise<string[]> {
    const snapshot = await this.#snapshot(id, { scrollbackLines: 0 });
    if (!snapshot) return [];
    const { cols, rows, bytes, position } = snapshot;
    const { text, alternateScreen } = await this.#renderer.renderText(bytes, { cols, rows });
    const lines = (alternateScreen ?? text)
      .trimEnd()
      .split("\n")
      .slice(-LINES)
      .map((line) => line.slice(0, MAX_LINE_LENGTH));
    this.#taken.set(id, { position, takenAt: this.#now(), lines });
    return lines;
  }
}
