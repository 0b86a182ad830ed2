import { setTimeout as delay } from "node:timers/promises";
import type { TerminalId } from "@belay/protocol";
import { cleanStart } from "../../output/history.ts";
import { openRecording } from "../../recording/reader.ts";
import type { OpenTap, TerminalTap } from "../../terminal/tap.ts";
import type { ScreenSize } from "../emulator.ts";
import type { Lag } from "./screen-feed.ts";
import type { Screens } from "./screens.ts";

/** More than this is not kept in memory for a lagging screen; it is read from the recording later. */
const MAX_QUEUED_BYTES = 256 * 1_024;
/**
 * In a flood, the terminal and all terminals together each print more than their limit in this time. It ends when both
 * are below their limits.
 */
const CALM_MS = 200;
const CALM_BYTES = 128 * 1_024;
const ALL_CALM_BYTES = 1_024 * 1_024;
/** How much of the end of an output a sketch is drawn from: a few screenfuls. */
const SKETCH_BYTES = 16 * 1_024;
/** With this much more output meanwhile, it counts as a flood again. */
const CATCHING_UP_BYTES = 1_024 * 1_024;
/** How much is read at a time before an equally long pause. */
const TURN_BYTES = 512 * 1_024;
/** How long, and how often, to wait for a recording that has not been written completely yet. */
const RETRY_MS = 20;
const MAX_RETRIES = 100;

/**
 * Keeps the screen of every terminal of a pool up to date without holding back
 * programs: an emulator is slower than a flood.
 *
 * In a flood, or when it falls too far behind, a screen stops following, so that it
 * takes no CPU from the viewers; a snapshot is then drawn from the end of the output. Afterwards it
 * catches up from the recording, which has everything in order, using at most half of the time. So
 * it needs neither memory nor back-pressure, and misses nothing.
 */
export function screenTap({ screens, recordingsDir }: { screens: Screens; recordingsDir: string }): OpenTap {
  const all = { printedBytes: 0, window: { startedAt: 0, bytes: 0 } };
  return ({ id, cols, rows, position }) => {
    screens.open(id, { cols, rows, position });
    return new ScreenTap(id, { cols, rows }, position, { screens, recordingsDir, all });
  };
}

/** Combines two taps. Output counts as consumed when both have consumed it. */
export function combineTaps(first: OpenTap, second: OpenTap): OpenTap {
  return (terminal) => {
    const taps = [first(terminal), second(terminal)];
    const all = async (act: (tap: TerminalTap) => Promise<void>) => void (await Promise.all(taps.map(act)));
    return {
      output: (bytes) => all((tap) => tap.output(bytes)),
      resized: (size) => taps.forEach((tap) => void tap.resized(size)),
      commandTyped: (command) => taps.forEach((tap) => void tap.commandTyped(command)),
      commandFinished: (report) => taps.forEach((tap) => void tap.commandFinished(report)),
      ownerChanged: (owner) => taps.forEach((tap) => void tap.ownerChanged(owner)),
      closed: (exitCode) => all((tap) => tap.closed(exitCode)),
    };
  };
}

class ScreenTap implements TerminalTap {
  readonly #id: TerminalId;
  readonly #screens: Screens;
  readonly #recordingsDir: string;
  #size: ScreenSize;
  /** The position of all output so far, and of what the screen was given. */
  #position: number;
  #fedPosition: number;
  #feeding: Promise<void> = Promise.resolve();
  #isBehind = false;
  /** The end of the output, while it lags behind. */
  #tail: Buffer | null = null;
  #tailBytes = 0;
  readonly #all: AllOutput;
  /** How much this terminal printed in the current time window, which all terminals share. */
  #printed = { in: 0, bytes: 0 };
  #closed: () => void = () => {};
  readonly #isClosed: Promise<void>;
  #wanted: () => void = () => {};
  /** A caller waits for it to catch up. */
  readonly #isWanted: Promise<void>;

  constructor(id: TerminalId, size: ScreenSize, position: number, { screens, recordingsDir, all }: ScreenTapParts) {
    this.#all = all;
    this.#isClosed = new Promise((resolve) => {
      this.#closed = resolve;
    });
    this.#isWanted = new Promise((resolve) => {
      this.#wanted = resolve;
    });
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
    this.#count(bytes.byteLength);
    if (this.#isBehind) return this.#keepTail(bytes);
    if (!this.#isFlooding && this.#position - this.#fedPosition <= MAX_QUEUED_BYTES) {
      const copy = Buffer.from(bytes);
      this.#feeding = this.#feeding.then(() => this.#feed(from, copy));
      return;
    }
    this.#isBehind = true;
    this.#keepTail(bytes);
    this.#screens.follows(this.#id, { end: () => this.#end(), wanted: () => this.#wanted() });
    this.#feeding = this.#feeding.then(() => this.#catchUp());
  }

  resized(size: ScreenSize): void {
    this.#size = size;
    if (this.#isBehind) return;
    this.#feeding = this.#feeding.then(() => this.#screens.resize(this.#id, size));
  }

  commandTyped(): void {}
  commandFinished(): void {}
  ownerChanged(): void {}

  /** The screen stays for late viewers; it is dropped with the terminal. */
  async closed(): Promise<void> {
    this.#closed();
  }

  #count(byteLength: number): void {
    const all = this.#all;
    all.printedBytes += byteLength;
    const now = performance.now();
    if (now - all.window.startedAt > CALM_MS) all.window = { startedAt: now, bytes: 0 };
    all.window.bytes += byteLength;
    if (this.#printed.in !== all.window.startedAt) this.#printed = { in: all.window.startedAt, bytes: 0 };
    this.#printed.bytes += byteLength;
  }

  get #isFlooding(): boolean {
    return this.#printed.bytes > CALM_BYTES && this.#all.window.bytes > ALL_CALM_BYTES;
  }

  #keepTail(bytes: Uint8Array): void {
    this.#tail ??= Buffer.allocUnsafeSlow(SKETCH_BYTES);
    const end = bytes.subarray(-SKETCH_BYTES);
    const stays = Math.min(this.#tailBytes, SKETCH_BYTES - end.byteLength);
    this.#tail.copyWithin(0, this.#tailBytes - stays, this.#tailBytes);
    this.#tail.set(end, stays);
    this.#tailBytes = stays + end.byteLength;
  }

  #end(): ReturnType<Lag["end"]> {
    const tail = Buffer.from(this.#tail?.subarray(0, this.#tailBytes) ?? []);
    return { size: this.#size, position: this.#position, bytes: tail.subarray(cleanStart(tail)) };
  }

  async #feed(position: number, bytes: Uint8Array): Promise<void> {
    await this.#screens.feed(this.#id, position, bytes);
    this.#fedPosition = position + bytes.byteLength;
  }

  async #catchUp(): Promise<void> {
    for (let retries = 0; this.#fedPosition < this.#position && retries < MAX_RETRIES; retries++) {
      await this.#untilCalm();
      const before = this.#fedPosition;
      // If reading fails now, it may succeed in a moment.
      await this.#readOn().catch(() => {});
      if (this.#fedPosition > before) retries = 0;
      else await delay(RETRY_MS);
    }
    // Without a recording to catch up from, the screen resumes here; the position shows that it missed something.
    this.#fedPosition = this.#position;
    // No await since the last check, so nothing came in between.
    this.#isBehind = false;
    this.#tail = null;
    this.#tailBytes = 0;
    this.#screens.resize(this.#id, this.#size);
    this.#screens.follows(this.#id, null);
  }

  /** A closed terminal is never in a flood; its screen catches up only on request. */
  async #untilCalm(): Promise<void> {
    for (;;) {
      const own = this.#position;
      const all = this.#all.printedBytes;
      const calm = delay(CALM_MS, true, { ref: false });
      const isOpen = await Promise.race([calm, this.#isClosed]);
      if (!isOpen) return this.#isWanted;
      if (this.#position - own <= CALM_BYTES && this.#all.printedBytes - all <= ALL_CALM_BYTES) return;
    }
  }

  /** Until it has caught up, the recording ends, or the flood resumes. */
  async #readOn(): Promise<void> {
    const recording = await openRecording(this.#recordingsDir, this.#id);
    if (!recording) return;
    try {
      const calmUntil = this.#position + CATCHING_UP_BYTES;
      let turnFrom = this.#fedPosition;
      let turnAt = performance.now();
      for await (const event of recording.events({ position: this.#fedPosition })) {
        if (event.type === "output") await this.#feed(event.position, event.bytes);
        else if (event.type === "resized") this.#screens.resize(this.#id, { cols: event.cols, rows: event.rows });
        if (this.#position > calmUntil) return;
        if (this.#fedPosition - turnFrom < TURN_BYTES) continue;
        // Pauses for as long as the turn took.
        await delay(performance.now() - turnAt);
        turnFrom = this.#fedPosition;
        turnAt = performance.now();
      }
    } finally {
      await recording.close();
    }
  }
}

interface ScreenTapParts {
  screens: Screens;
  recordingsDir: string;
  all: AllOutput;
}

/** The output of all terminals: in total, and in the current window of time. */
interface AllOutput {
  printedBytes: number;
  window: { startedAt: number; bytes: number };
}
