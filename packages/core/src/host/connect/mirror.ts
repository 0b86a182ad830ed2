import { FollowedLog } from "../../output/followed-log.ts";
import type { OutputConsumer, OutputSubscription } from "../../pool/terminal-pool.ts";

/** As much as the host itself keeps of a terminal's output. */
const MAX_BYTES = 1024 * 1024;

/**
 * The recent output of a terminal that is followed in this process: it comes over the socket
 * once, for any number of followers, at the pace of the fastest.
 */
export class Mirror implements OutputConsumer {
  readonly takes = "views";
  readonly #followed: FollowedLog;
  #held: { promise: Promise<void>; release: () => void } | null = null;

  constructor(fromPosition: number) {
    const source = { hold: () => this.#hold(), release: () => this.#release() };
    this.#followed = new FollowedLog({ maxBytes: MAX_BYTES, fromPosition, source });
  }

  get isFollowed(): boolean {
    return this.#followed.isFollowed;
  }

  has(position: number): boolean {
    return position >= this.#followed.log.startPosition && !this.#followed.hasEnded;
  }

  onOutput({ bytes }: { position: number; bytes: Buffer }): void | Promise<void> {
    this.#followed.append(bytes);
    return this.#held?.promise;
  }

  onGap({ to }: { from: number; to: number }): void {
    this.#followed.skipTo(to);
  }

  onEnd({ exitCode }: { position: number; exitCode: number | null }): void {
    this.#followed.end(exitCode);
  }

  /** The terminal has reached `fromPosition`, but its output up to there may not have arrived yet. */
  follow(fromPosition: number, consumer: OutputConsumer): OutputSubscription {
    return this.#followed.follow(fromPosition, consumer);
  }

  #hold(): void {
    let release = () => {};
    const promise = new Promise<void>((resolve) => {
      release = resolve;
    });
    this.#held = { promise, release };
  }

  #release(): void {
    this.#held?.release();
    this.#held = null;
  }
}
