import { formatBytes } from "../render/text/summary.ts";

/** Keeps the head and tail of a program's output of any length, and counts the rest. */
export class CappedOutput {
  readonly #halfBytes: number;
  readonly #head: Uint8Array[] = [];
  #headBytes = 0;
  #tail: Uint8Array[] = [];
  #tailBytes = 0;
  #totalBytes = 0;

  constructor(maxBytes: number) {
    this.#halfBytes = Math.ceil(maxBytes / 2);
  }

  append(chunk: Uint8Array): void {
    this.#totalBytes += chunk.byteLength;
    const forHead = chunk.subarray(0, this.#halfBytes - this.#headBytes);
    if (forHead.byteLength > 0) {
      this.#head.push(forHead);
      this.#headBytes += forHead.byteLength;
    }
    const forTail = chunk.subarray(forHead.byteLength);
    if (forTail.byteLength === 0) return;
    this.#tail.push(forTail);
    this.#tailBytes += forTail.byteLength;
    // Trimmed when it has doubled, so that each byte is copied about once.
    if (this.#tailBytes > 2 * this.#halfBytes) this.#trimTail();
  }

  get omittedBytes(): number {
    return Math.max(0, this.#totalBytes - 2 * this.#halfBytes);
  }

  /** With a notice in the middle if something is missing. */
  toText(): string {
    this.#trimTail();
    if (this.omittedBytes === 0) return Buffer.concat([...this.#head, ...this.#tail]).toString();
    const notice = `\n… ${formatBytes(this.omittedBytes)} left out …\n`;
    return `${Buffer.concat(this.#head)}${notice}${Buffer.concat(this.#tail)}`;
  }

  #trimTail(): void {
    if (this.#tailBytes <= this.#halfBytes) return;
    const all = Buffer.concat(this.#tail);
    this.#tail = [all.subarray(all.byteLength - this.#halfBytes)];
    this.#tailBytes = this.#halfBytes;
  }
}
