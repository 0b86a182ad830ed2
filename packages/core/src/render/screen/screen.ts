import type { ScreenSnapshot } from "../../pool/requests.ts";
import { Emulator, type ScreenSize } from "../emulator.ts";
import { UnfinishedInput } from "../unfinished-input.ts";
import { serialiseScreen } from "./serialise-screen.ts";

/** How far back a new viewer can scroll without requesting more. */
const SCROLLBACK_LINES = 1_000;
/** This much output, in this many pieces, is kept as it is before an emulator is created for it. */
const MAX_PENDING_BYTES = 4 * 1_024;
const MAX_PENDING_PIECES = 16;

/**
 * One terminal's screen, kept up to date. While suspended it is only the text that draws it, and what was printed
 * since: an emulator takes 200 KB, and most idle terminals show little more than a prompt.
 */
export class Screen {
  #size: ScreenSize;
  #emulator: Emulator | null = null;
  /** As bytes: a string built from single characters takes forty times as much memory. */
  #frozen: Uint8Array = new Uint8Array();
  #pending: Uint8Array[] = [];
  #pendingBytes = 0;
  readonly #unfinished = new UnfinishedInput();
  #position = 0;
  #title = "";
  #isExact: boolean;

  /** A screen that starts after the beginning cannot be exact. */
  constructor(size: ScreenSize, position: number) {
    this.#size = size;
    this.#position = position;
    this.#isExact = position === 0;
  }

  /** Skips output that it has seen, and remembers gaps. */
  feed(position: number, bytes: Uint8Array): void {
    const seen = this.#position - position;
    if (seen >= bytes.byteLength) return;
    if (seen < 0) this.#isExact = false;
    const fresh = bytes.subarray(Math.max(0, seen));
    this.#position = position + bytes.byteLength;
    if (this.#emulator === null && this.#hasRoomFor(fresh)) {
      this.#pending.push(fresh);
      this.#pendingBytes += fresh.byteLength;
    } else this.#write(this.#awake(), fresh);
  }

  resize(size: ScreenSize): void {
    this.#awake().resize(size);
    this.#size = size;
  }

  snapshot({ scrollbackLines }: { scrollbackLines: number }): ScreenSnapshot {
    const emulator = this.#awake();
    const drawn = serialiseScreen(emulator, { scrollbackLines, title: this.#title });
    return {
      ...this.#size,
      position: this.#position,
      bytes: Buffer.concat([Buffer.from(drawn), this.#unfinished.bytes]),
      title: this.#title,
      isAlternate: emulator.isAlternate,
      isExact: this.#isExact,
    };
  }

  /** Releases the emulator's memory; the next use creates it again. */
  freeze(): void {
    if (!this.#emulator) return;
    this.#frozen = Buffer.from(serialiseScreen(this.#emulator, { scrollbackLines: SCROLLBACK_LINES, title: "" }));
    this.#emulator.dispose();
    this.#emulator = null;
  }

  dispose(): void {
    this.#emulator?.dispose();
    this.#emulator = null;
  }

  #hasRoomFor(bytes: Uint8Array): boolean {
    return this.#pendingBytes + bytes.byteLength <= MAX_PENDING_BYTES && this.#pending.length < MAX_PENDING_PIECES;
  }

  #write(emulator: Emulator, bytes: Uint8Array): void {
    try {
      emulator.write(bytes);
      this.#unfinished.follow(bytes, emulator);
    } catch {
      // The emulator may have stopped anywhere: an empty screen that says so is better than a wrong one.
      this.#startAnew();
    }
  }

  #startAnew(): void {
    this.dispose();
    this.#frozen = new Uint8Array();
    this.#unfinished.clear();
    this.#isExact = false;
  }

  #awake(): Emulator {
    if (this.#emulator) return this.#emulator;
    const emulator = new Emulator({ ...this.#size, scrollbackLines: SCROLLBACK_LINES });
    emulator.write(this.#frozen);
    emulator.write(this.#unfinished.bytes);
    emulator.terminal.onTitleChange((title) => {
      this.#title = title;
    });
    this.#frozen = new Uint8Array();
    this.#emulator = emulator;
    const pending = this.#pending;
    this.#pending = [];
    this.#pendingBytes = 0;
    for (const bytes of pending) this.#write(this.#emulator ?? this.#awake(), bytes);
    return this.#emulator ?? this.#awake();
  }
}
