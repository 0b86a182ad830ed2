import type { TerminalId } from "@belay/protocol";
import { openRecording } from "../recording/reader.ts";
import type { OpenTap, TerminalTap } from "../terminal/tap.ts";
import type { ScreenSize } from "./emulator.ts";
import type { Screens } from "./screens.ts";

/** More than this is not held in memory for a screen that lags; it is read from the recording later. */
const MAX_QUEUED_BYTES = 1_024 * 1_024;
/** How long, and how often in vain, to wait for a recording that has not written everything yet. */
const RETRY_MS = 20;
const MAX_RETRIES = 100;

/**
 * Keeps the screen of every terminal of a pool up to date, and holds no program
 * back for it: an emulator is slower than a flood.
 *
 * A screen that falls too far behind stops listening and reads on in the
 * recording, which has everything in order, until it is level again. So it
 * needs neither memory nor the program's patience, and misses nothing.
 */
export function screenTap({ screens, recordingsDir }: { screens: Screens; recordingsDir: string }): OpenTap {
  return ({ id, cols, rows, position }) => {
    screens.open(id, { cols, rows, position });
    return new ScreenTap(id, { cols, rows }, position, { screens, recordingsDir });
  };
}

/** One tap for two. Output counts as taken when both have taken it. */
export function bothTaps(first: OpenTap, second: OpenTap): OpenTap {
  return (terminal) => {
    const taps = [first(terminal), second(terminal)];
    const all = async (act: (tap: TerminalTap) => Promise<void>) => void (await Promise.all(taps.map(act)));
    return {
      output: (bytes) => all((tap) => tap.output(bytes)),
      resized: (size) => taps.forEach((tap) => void tap.resized(size)),
      commandTyped: (command) => taps.forEach((tap) => void tap.commandTyped(command)),
      commandFinished: (report) => taps.forEach((tap) => void tap.commandFinished(report)),
      promoted: () => taps.forEach((tap) => void tap.promoted()),
      handedBack: () => taps.forEach((tap) => void tap.handedBack()),
      closed: (exitCode) => all((tap) => tap.closed(exitCode)),
    };
  };
}

class ScreenTap implements TerminalTap {
  readonly #id: TerminalId;
  readonly #screens: Screens;
  readonly #recordingsDir: string;
  #size: ScreenSize;
  /** After all output so far, and after what the screen was given of it. */
  #position: number;
  #fedPosition: number;
  #feeding: Promise<void> = Promise.resolve();
  #isBehind = false;

  constructor(id: TerminalId, size: ScreenSize, position: number, { screens, recordingsDir }: ScreenTapParts) {
    this.#id = id;
    this.#size = size;
    this.#position = position;
    this.#fedPosition = position;
    this.#screens = screens;
    this.#recordingsDir = recordingsDir;
  }

  async output(bytes: Uint8Array): Promise<void> {
    const from = this.#position;
    this.#position += bytes.byteLength;
    if (this.#isBehind) return;
    if (this.#position - this.#fedPosition <= MAX_QUEUED_BYTES) {
      this.#feeding = this.#feeding.then(() => this.#feed(from, bytes));
      return;
    }
    this.#isBehind = true;
    this.#feeding = this.#feeding.then(() => this.#catchUp());
  }

  resized(size: ScreenSize): void {
    this.#size = size;
    if (this.#isBehind) return;
    this.#feeding = this.#feeding.then(() => this.#screens.resize(this.#id, size));
  }

  commandTyped(): void {}
  commandFinished(): void {}
  promoted(): void {}

  handedBack(): void {}

  /** The screen stays for late viewers; it is dropped with the terminal. */
  async closed(): Promise<void> {}

  async #feed(position: number, bytes: Uint8Array): Promise<void> {
    await this.#screens.feed(this.#id, position, bytes);
    this.#fedPosition = position + bytes.byteLength;
  }

  async #catchUp(): Promise<void> {
    for (let retries = 0; this.#fedPosition < this.#position && retries < MAX_RETRIES; retries++) {
      const before = this.#fedPosition;
      // What cannot be read now may be readable in a moment.
      await this.#readOn().catch(() => {});
      if (this.#fedPosition > before) retries = 0;
      else await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
    // Without a recording to read on in, the screen goes on from here, and knows by the position that it missed something.
    this.#fedPosition = this.#position;
    // No await since the last look, so nothing came in between.
    this.#isBehind = false;
    this.#screens.resize(this.#id, this.#size);
  }

  async #readOn(): Promise<void> {
    const recording = await openRecording(this.#recordingsDir, this.#id);
    if (!recording) return;
    try {
      for await (const event of recording.events({ position: this.#fedPosition })) {
        if (event.type === "output") await this.#feed(event.position, event.bytes);
        else if (event.type === "resized") this.#screens.resize(this.#id, { cols: event.cols, rows: event.rows });
      }
    } finally {
      await recording.close();
    }
  }
}

interface ScreenTapParts {
  screens: Screens;
  recordingsDir: string;
}
