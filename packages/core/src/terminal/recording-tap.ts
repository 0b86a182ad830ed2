import type { TerminalInfo } from "@belay/protocol";
import type { Source } from "../output/pace.ts";
import { type OpenTap, TapFeed, type TerminalTap } from "./tap.ts";

/** The tap of one terminal, from when it is opened: a warm shell has none until it is adopted. */
export class RecordingTap {
  readonly #openTap: OpenTap | null;
  readonly #hold: Source;
  #opened: { tap: TerminalTap; feed: TapFeed } | null = null;

  constructor(openTap: OpenTap | null, hold: Source) {
    this.#openTap = openTap;
    this.#hold = hold;
  }

  open(info: TerminalInfo): void {
    const tap = this.#openTap?.(info) ?? null;
    this.#opened = tap && { tap, feed: new TapFeed(tap, this.#hold) };
  }

  push(bytes: Uint8Array): void {
    this.#opened?.feed.push(bytes);
  }

  /** Calls the tap after it has been given all earlier output. */
  tell(tell: (tap: TerminalTap) => void): void {
    this.#opened?.feed.flush();
    if (this.#opened) tell(this.#opened.tap);
  }

  async close(exitCode: number | null): Promise<void> {
    this.#opened?.feed.flush();
    // A tap reports its own failures; the terminal closes either way.
    await this.#opened?.tap.closed(exitCode).catch(() => {});
  }
}
