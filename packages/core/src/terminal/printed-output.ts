import { ScreenWatch } from "../output/screen-watch.ts";
import type { TerminalOutput } from "../output/terminal-output.ts";
import { type Marker, MarkerFilter } from "../shell/markers.ts";
import { HiddenOutput } from "./hidden-output.ts";

/** Long enough for the rest of a marker that was split between two reads, too short to notice. */
const HELD_ESCAPE_MS = 20;
/** How long output may be on its way through another program, even on a busy machine. */
export const RELAY_MS = 1_500;
/** Longer than a prompt. */
const TAIL_BYTES = 2_000;
const LAST_LINE_BYTES = 200;

interface PrintedOutputOptions {
  log: TerminalOutput;
  /** Of the shell's markers; null if there is no shell. */
  nonce: string | null;
  /** Another program stands between the shell and us, as with containers. */
  isRelayed: () => boolean;
  /** Resolves once everything that was printed before has been read. */
  drain: () => Promise<void>;
  onMarker: (marker: Marker) => void;
  onPrinted: (printed: Printed) => void;
}

export interface Printed {
  bytes: Buffer;
  position: number;
  /** False for the output of a line of our own. */
  isShown: boolean;
  hasNewTitle: boolean;
}

/** Passes the PTY's output to the log, without markers and without what is printed while a line of our own runs. */
export class PrintedOutput {
  readonly #options: PrintedOutputOptions;
  readonly #filter: MarkerFilter | null;
  readonly #screen = new ScreenWatch();
  #hidden: HiddenOutput | null = null;
  #heldEscapeTimer: NodeJS.Timeout | null = null;

  constructor(options: PrintedOutputOptions) {
    const { nonce, onMarker } = options;
    this.#options = options;
    this.#filter =
      nonce === null ? null : new MarkerFilter(nonce, { onOutput: (bytes) => this.#printed(bytes), onMarker });
  }

  get title(): string {
    return this.#screen.title;
  }

  get isFullscreen(): boolean {
    return this.#screen.isFullscreen;
  }

  /** After the last byte of output, including hidden output. */
  get position(): number {
    return this.#options.log.endPosition + (this.#hidden?.length ?? 0);
  }

  get lastLine(): string {
    const text = this.#tail(LAST_LINE_BYTES);
    return text.slice(text.lastIndexOf("\n") + 1);
  }

  get isHiding(): boolean {
    return this.#hidden !== null;
  }

  push(bytes: Buffer): void {
    if (!this.#filter) {
      this.#printed(bytes);
      return;
    }
    this.#filter.push(bytes);
    if (!this.#filter.holdsEscape || this.#heldEscapeTimer) return;
    this.#heldEscapeTimer = setTimeout(
      () => {
        this.#heldEscapeTimer = null;
        this.#filter?.releaseEscape();
      },
      this.#options.isRelayed() ? RELAY_MS : HELD_ESCAPE_MS,
    );
  }

  /** No more output will come. */
  end(): void {
    if (this.#heldEscapeTimer) clearTimeout(this.#heldEscapeTimer);
    this.#filter?.flush();
  }

  /** The visible text ends with the same prompt before and after, so the screen needs no repair. */
  async hideWhile<Value>(line: string, work: () => Promise<Value>): Promise<Value> {
    const hidden = new HiddenOutput();
    this.#hidden = hidden;
    try {
      return await work();
    } finally {
      await this.#options.drain();
      this.#hidden = null;
      if (!hidden.isEchoOf(line, this.#tail(TAIL_BYTES))) this.#printed(hidden.take());
    }
  }

  #printed(bytes: Buffer): void {
    const { log, onPrinted } = this.#options;
    const { position } = this;
    if (this.#hidden) {
      onPrinted({ bytes, position, isShown: false, hasNewTitle: false });
      this.#hidden.push(bytes);
      return;
    }
    log.append(bytes);
    onPrinted({ bytes, position, isShown: true, hasNewTitle: this.#screen.push(bytes) });
  }

  #tail(maxBytes: number): string {
    const { log } = this.#options;
    const { bytes } = log.read({ fromPosition: log.endPosition - maxBytes, maxBytes });
    return Buffer.from(bytes).toString("utf8");
  }
}
