import { Follower } from "../../output/follower.ts";
import { OutputLog } from "../../output/output-log.ts";
import type { OutputConsumer, OutputSubscription } from "../../pool/terminal-pool.ts";

/** As much as the host itself keeps of a terminal. */
const MAX_BYTES = 1024 * 1024;

/**
 * The last output of a terminal that is followed in this process: it comes over the socket
 * once, however many watch. Fed by a stream from the host, whose pace it never slows.
 */
export class Mirror implements OutputConsumer {
  readonly #log: OutputLog;
  readonly #followers = new Set<Follower>();
  #end: { exitCode: number | null } | null = null;

  constructor(fromPosition: number) {
    this.#log = new OutputLog({ maxBytes: MAX_BYTES, fromPosition });
  }

  get isFollowed(): boolean {
    return this.#followers.size > 0;
  }

  has(position: number): boolean {
    return position >= this.#log.startPosition && this.#end === null;
  }

  onOutput({ bytes }: { position: number; bytes: Uint8Array }): void {
    this.#log.append(bytes);
    for (const follower of this.#followers) follower.wake();
  }

  onGap({ to }: { from: number; to: number }): void {
    this.#log.skipTo(to);
    for (const follower of this.#followers) follower.wake();
  }

  onEnd({ exitCode }: { position: number; exitCode: number | null }): void {
    this.#end = { exitCode };
    for (const follower of this.#followers) follower.end(exitCode);
    this.#followers.clear();
  }

  /** From a position that the terminal has reached, though it may not have come here yet. */
  follow(fromPosition: number, consumer: OutputConsumer): OutputSubscription {
    const follower = new Follower(this.#log, fromPosition, consumer);
    this.#followers.add(follower);
    // Not before the caller has what it needs to stop it.
    queueMicrotask(() => follower.wake());
    return {
      stop: () => {
        follower.stop();
        this.#followers.delete(follower);
      },
    };
  }
}
