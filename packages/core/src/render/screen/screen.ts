import type { ScreenSnapshot } from "../../pool/requests.ts";
import { Emulator, type ScreenSize } from "../emulator.ts";
import { UnfinishedInput } from "../unfinished-input.ts";
import { serialiseScreen } from "./serialise-screen.ts";

/** How far back a new viewer can scroll without requesting more. */
const SCROLLBACK_LINES = 1_000;

/** One terminal's screen, kept up to date. While suspended it is only the text that draws it. */
export class Screen {
  #size: ScreenSize;
  #emulator: Emulator | null = null;
  /** As bytes: a string built from single characters takes forty times as much memory. */
  #frozen: Uint8Array = new Uint8Array();
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
    const emulator = this.#awake();
    try {
      emulator.write(fresh);
      this.#unfinished.follow(fresh, emulator);
    } catch {
      // The emulator may have stopped anywhere: an empty screen that says so is better than a wrong one.
      this.#startAnew();
    }
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
    return emulator;
  }
}
