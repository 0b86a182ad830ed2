import type { Emulator } from "./emulator.ts";

/** The beginning of a sequence says what it is; the rest of a long one is only its text. */
const MAX_KEPT_BYTES = 4_096;
const ESCAPE = 0x1b;

/**
 * The bytes of an incomplete control sequence or character.
 * A screen cannot show them, but a snapshot needs
 * them so that the next output is understood.
 */
export class UnfinishedInput {
  #bytes: Buffer = Buffer.alloc(0);

  get bytes(): Uint8Array {
    return this.#bytes;
  }

  clear(): void {
    this.#bytes = Buffer.alloc(0);
  }

  /** Must be called right after every write. */
  follow(written: Uint8Array, emulator: Emulator): void {
    if (emulator.internals._inputHandler._parser.currentState === 0) {
      this.#bytes = Buffer.from(partialCharacter(Buffer.concat([this.#bytes.subarray(-3), written.subarray(-3)])));
      return;
    }
    const start = sequenceStart(written);
    // It contains no start: it continues the unfinished sequence.
    const held = start < 0 ? Buffer.concat([this.#bytes, written]) : written.subarray(start);
    this.#bytes = Buffer.from(held.subarray(0, MAX_KEPT_BYTES));
  }
}

/** Where the last control sequence begins: at an escape, or at a C1 control in its UTF-8 form. */
function sequenceStart(bytes: Uint8Array): number {
  for (let index = bytes.byteLength - 1; index >= 0; index--) {
    const byte = bytes[index] ?? 0;
    if (byte === ESCAPE) return index;
    if (byte === 0xc2 && isOpeningC1(bytes[index + 1])) return index;
  }
  return -1;
}

/** DCS, SOS, CSI, OSC, PM and APC: those with a payload. */
function isOpeningC1(byte: number | undefined): boolean {
  return byte === 0x90 || byte === 0x98 || byte === 0x9b || byte === 0x9d || byte === 0x9e || byte === 0x9f;
}

/** The beginning of an incomplete UTF-8 character at the end. */
export function partialCharacter(tail: Uint8Array): Uint8Array {
  for (let back = 1; back <= Math.min(3, tail.byteLength); back++) {
    const byte = tail[tail.byteLength - back] ?? 0;
    if (byte < 0x80) break;
    if (byte < 0xc0) continue;
    const length = byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
    return length > back ? tail.subarray(tail.byteLength - back) : new Uint8Array();
  }
  return new Uint8Array();
}
