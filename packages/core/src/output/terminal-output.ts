import type { OutputSlice, ReadRequest } from "../pool/requests.ts";
import type { OutputConsumer, OutputSubscription } from "../pool/terminal-pool.ts";
import { Follower } from "./follower.ts";
import { trimHistory } from "./history.ts";
import { OutputLog } from "./output-log.ts";

/** What a follower of a terminal that does not exist receives. */
export function followNothing(fromPosition: number, consumer: OutputConsumer): OutputSubscription {
  let isStopped = false;
  queueMicrotask(() => {
    if (!isStopped) consumer.onEnd({ position: fromPosition, exitCode: null });
  });
  return {
    stop: () => {
      isStopped = true;
    },
  };
}

/** Keeps what a terminal printed, and hands it to everyone who follows. */
export class TerminalOutput {
  readonly #options: { maxBytes: number };
  #log: OutputLog;
  readonly #followers = new Set<Follower>();
  #end: { exitCode: number | null } | null = null;

  constructor(options: { maxBytes: number }) {
    this.#options = options;
    this.#log = new OutputLog(options);
  }

  /** Forgets everything and counts from 0 again. Only before anybody follows. */
  restart(): void {
    this.#log = new OutputLog(this.#options);
  }

  get endPosition(): number {
    return this.#log.endPosition;
  }

  append(bytes: Uint8Array): void {
    this.#log.append(bytes);
    for (const follower of this.#followers) follower.wake();
  }

  read({ fromPosition, maxBytes }: ReadRequest): OutputSlice {
    const { bytes, ...slice } = this.#log.read(fromPosition, maxBytes);
    return {
      ...slice,
      bytes,
      toPosition: slice.fromPosition + bytes.byteLength,
      endPosition: this.#log.endPosition,
    };
  }

  history(maxBytes: number): { text: string; endPosition: number } {
    const { bytes, fromPosition } = this.#log.read(this.#log.endPosition - maxBytes, maxBytes);
    const { text, byteLength } = trimHistory(bytes, { isCut: fromPosition > 0 });
    return { text, endPosition: fromPosition + byteLength };
  }

  follow(fromPosition: number, consumer: OutputConsumer): OutputSubscription {
    const from = Math.min(Math.max(0, fromPosition), this.#log.endPosition);
    const follower = new Follower(this.#log, from, consumer);
    // Not before the caller has what it needs to stop it.
    queueMicrotask(() => {
      if (this.#end) follower.end(this.#end.exitCode);
      else follower.wake();
    });
    if (!this.#end) this.#followers.add(follower);
    return {
      stop: () => {
        follower.stop();
        this.#followers.delete(follower);
      },
    };
  }

  /** The last byte is in. */
  end(exitCode: number | null): void {
    this.#end = { exitCode };
    for (const follower of this.#followers) follower.end(exitCode);
    this.#followers.clear();
  }
}
