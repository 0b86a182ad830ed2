import type { RecordStorage } from "../storage/storage.ts";
import { ROWS_PER_CHECKPOINT } from "../verify.ts";
import type { Checkpoints } from "./checkpoints.ts";

const QUIET_MS = 500;

interface SignaturesOptions {
  checkpoints: Checkpoints;
  storage: Pick<RecordStorage, "flush" | "flushNow">;
  genesis: string;
  now: () => number;
  /** The end of the chain. */
  head: () => { seq: number; hash: string };
  /** Rows are lost, so what is there is not what was written. */
  isDamaged: () => boolean;
  /** Rows could not be flushed: called with the error, and throws. */
  notOnDisk: (error: unknown) => never;
}

/**
 * Signs the end of the chain, so often that no more than a hundred rows are ever without a signature.
 *
 * Rows are signed only once they are on disk: otherwise a crash could leave a signature for missing rows.
 */
export class Signatures {
  readonly #options: SignaturesOptions;
  /** The file's last checkpoint is not trusted; signing again is harmless. */
  #signedSeq = 0;
  #isSigning = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: SignaturesOptions) {
    this.#options = options;
  }

  /** Whether so many more rows would leave too many unsigned. */
  isDueBefore(rows: number): boolean {
    return this.#options.head().seq - this.#signedSeq + rows > ROWS_PER_CHECKPOINT;
  }

  /** Signs in a moment, because a signature costs as much as ten rows. */
  plan(): void {
    this.#timer ??= setTimeout(() => void this.signSoon(), QUIET_MS).unref();
  }

  /** Returns when the signature is on disk. */
  signNow(): void {
    this.#stopTimer();
    const { checkpoints, storage, genesis, now, head } = this.#options;
    const { seq, hash } = head();
    if (seq === this.#signedSeq) return;
    storage.flushNow();
    checkpoints.append({ genesis, seq, hash, at: now() });
    this.#signedSeq = seq;
  }

  /** The same without holding up this thread, which would otherwise wait for the disk twice. If it fails, a later row tries again. */
  async signSoon(): Promise<void> {
    this.#stopTimer();
    const { checkpoints, storage, genesis, now, head, isDamaged, notOnDisk } = this.#options;
    const { seq, hash } = head();
    if (this.#isSigning || isDamaged() || seq === this.#signedSeq) return;
    this.#isSigning = true;
    try {
      await storage.flush().catch(notOnDisk);
      // Meanwhile everything may have been signed at once, because there were too many rows, or at the end.
      if (this.#signedSeq >= seq) return;
      await checkpoints.appendSoon({ genesis, seq, hash, at: now() });
      this.#signedSeq = Math.max(this.#signedSeq, seq);
    } catch {
      // Not ignored for long: after too many unsigned rows, further ones are refused.
    } finally {
      this.#isSigning = false;
    }
  }

  /** Signs all rows, if possible: the next start signs them otherwise. */
  close(): void {
    try {
      this.signNow();
    } catch {
      this.#stopTimer();
    }
  }

  #stopTimer(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
