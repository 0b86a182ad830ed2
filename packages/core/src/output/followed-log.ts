import type { OutputConsumer, OutputSubscription } from "../pool/terminal-pool.ts";
import { Follower } from "./follower.ts";
import { OutputLog, type OutputLogOptions } from "./output-log.ts";
import { Pace, type Source } from "./pace.ts";

/** A terminal's output and its followers; the source is slowed down to the pace of the fastest. */
export class FollowedLog {
  readonly log: OutputLog;
  readonly #pace: Pace;
  readonly #followers = new Set<Follower>();
  #end: { exitCode: number | null } | null = null;

  constructor({ source, ...log }: OutputLogOptions & { source: Source }) {
    this.log = new OutputLog(log);
    this.#pace = new Pace(source);
  }

  get isFollowed(): boolean {
    return this.#followers.size > 0;
  }

  get hasEnded(): boolean {
    return this.#end !== null;
  }

  append(bytes: Buffer): void {
    this.log.append(bytes);
    this.#wake();
  }

  skipTo(position: number): void {
    this.log.skipTo(position);
    this.#wake();
  }

  /** No more output will come. */
  end(exitCode: number | null): void {
    this.#end = { exitCode };
    this.#pace.release();
    for (const follower of this.#followers) follower.end(exitCode);
    this.#followers.clear();
  }

  follow(fromPosition: number, consumer: OutputConsumer): OutputSubscription {
    const follower = new Follower(this.log, fromPosition, consumer, () => this.#updatePace());
    // Delivery starts only once the caller can stop it.
    queueMicrotask(() => {
      if (this.#end) follower.end(this.#end.exitCode);
      else follower.wake();
    });
    if (!this.#end) this.#followers.add(follower);
    return {
      stop: () => {
        follower.stop();
        this.#followers.delete(follower);
        this.#updatePace();
      },
    };
  }

  #wake(): void {
    for (const follower of this.#followers) follower.wake();
    this.#updatePace();
  }

  #updatePace(): void {
    if (this.#end) return;
    let fastest: number | null = null;
    for (const { position } of this.#followers) if (fastest === null || position > fastest) fastest = position;
    this.#pace.update(this.log.endPosition, fastest);
  }
}
