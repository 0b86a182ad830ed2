import type { OutputSlice, ReadRequest } from "../pool/requests.ts";
import type { OutputConsumer, OutputSubscription } from "../pool/terminal-pool.ts";
import { FollowedLog } from "./followed-log.ts";
import { trimHistory } from "./history.ts";
import type { Source } from "./pace.ts";

/** Follows a terminal that does not exist: the consumer is told only that it has ended. */
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

/** Keeps a terminal's output, and delivers it to all followers. */
export class TerminalOutput {
  readonly #options: { maxBytes: number; source: Source };
  #followed: FollowedLog;

  constructor(options: { maxBytes: number; source: Source }) {
    this.#options = options;
    this.#followed = new FollowedLog({ ...options, keepsChunks: true });
  }

  /** Drops everything and counts from 0 again. Only allowed before the first follower. */
  restart(): void {
    this.#followed = new FollowedLog({ ...this.#options, keepsChunks: true });
  }

  get endPosition(): number {
    return this.#followed.log.endPosition;
  }

  /** Keeps the bytes, or copies them. */
  append(bytes: Buffer): void {
    this.#followed.append(bytes);
  }

  read({ fromPosition, maxBytes }: ReadRequest): OutputSlice {
    const { bytes, ...slice } = this.#followed.log.read(fromPosition, maxBytes);
    return {
      ...slice,
      bytes,
      toPosition: slice.fromPosition + bytes.byteLength,
      endPosition: this.endPosition,
    };
  }

  history(maxBytes: number): { text: string; endPosition: number } {
    const { bytes, fromPosition } = this.#followed.log.read(this.endPosition - maxBytes, maxBytes);
    const { text, byteLength } = trimHistory(bytes, { isCut: fromPosition > 0 });
    return { text, endPosition: fromPosition + byteLength };
  }

  follow(fromPosition: number, consumer: OutputConsumer): OutputSubscription {
    return this.#followed.follow(Math.min(Math.max(0, fromPosition), this.endPosition), consumer);
  }

  /** No more output will come. */
  end(exitCode: number | null): void {
    this.#followed.end(exitCode);
  }
}
