/** Enough for the echo of a line. If more than this is printed, all of it is shown. */
const MAX_BYTES = 64_000;

// biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences are what this is about.
const NO_TEXT = /\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b\[[0-9:;<=>?]*[ -/]*[@-~]|\x1b[ -/]*[0-~]|[\x00-\x20\x7f]/g;

/** What a terminal prints while it runs a line that Belay typed for itself. */
export class HiddenOutput {
  readonly #chunks: Buffer[] = [];
  #length = 0;

  get length(): number {
    return this.#length;
  }

  push(bytes: Buffer): void {
    this.#chunks.push(bytes);
    this.#length += bytes.byteLength;
  }

  /**
   * Whether this is only the echo of the line and the same prompt as before. Otherwise a program in the background also
   * printed something, which must not be lost.
   */
  isEchoOf(line: string, before: string): boolean {
    if (this.#length > MAX_BYTES) return false;
    const echoed = textOf(line);
    let text = textOf(this.take().toString("utf8"));
    if (!text.startsWith(echoed)) return false;
    // Fish redraws the line in colours, and marks a missing line end.
    while (text.startsWith(echoed)) text = text.slice(echoed.length);
    return textOf(before).endsWith(text.replace(/^⏎*/, ""));
  }

  take(): Buffer {
    return Buffer.concat(this.#chunks);
  }
}

function textOf(printed: string): string {
  return printed.replaceAll(NO_TEXT, "");
}
