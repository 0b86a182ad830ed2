import type { OtherChains, RecordStorage } from "../storage/storage.ts";
import { ROWS_PER_CHECKPOINT } from "../verify.ts";
import type { Binding, Checkpoints } from "./checkpoints.ts";

const QUIET_MS = 500;

interface SignaturesOptions {
  checkpoints: Checkpoints;
  storage: Pick<RecordStorage, "flush" | "flushNow">;
  genesis: string;
  /** The chains of the other gateways, which each signature names as well. */
  others: Pick<OtherChains, "heads"> | null;
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
  /** Where the other chains ended when they were last read. */
  #seen: Binding[] = [];
  #signedSeen = "[]";
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
  signNow({ isAgain = false } = {}): void {
    this.#stopTimer();
    const { checkpoints, storage, genesis, now, head } = this.#options;
    const { seq, hash } = head();
    if (seq === this.#signedSeq && !isAgain) return;
    storage.flushNow();
    checkpoints.append({ genesis, seq, hash, at: now(), ...this.#witnessed() });
    this.#signedSeq = seq;
  }

  /** Signs again if other chains have grown since the last signature. */
  async witness(): Promise<void> {
    await this.#look();
    if (JSON.stringify(this.#seen) === this.#signedSeen) return;
    await this.signSoon({ isAgain: true });
  }

  /** The same without holding up this thread, which would otherwise wait for the disk twice. If it fails, a later row tries again. */
  async signSoon({ isAgain = false } = {}): Promise<void> {
    this.#stopTimer();
    const { checkpoints, storage, genesis, now, head, isDamaged, notOnDisk } = this.#options;
    const { seq, hash } = head();
    if (this.#isSigning || isDamaged() || (seq === this.#signedSeq && !isAgain)) return;
    this.#isSigning = true;
    try {
      await storage.flush().catch(notOnDisk);
      if (!isAgain) await this.#look();
      // Meanwhile everything may have been signed at once, because there were too many rows, or at the end.
      if (this.#signedSeq >= seq && !isAgain) return;
      await checkpoints.appendSoon({ genesis, seq, hash, at: now(), ...this.#witnessed() });
      this.#signedSeq = Math.max(this.#signedSeq, seq);
    } catch {
      // Not ignored for long: after too many unsigned rows, further ones are refused.
    } finally {
      this.#isSigning = false;
    }
  }

  /** Signs all rows and where the other chains end, if possible: the next start signs them otherwise. */
  async close(): Promise<void> {
    try {
      await this.#look();
      const hasSeenMore = JSON.stringify(this.#seen) !== this.#signedSeen;
      this.signNow({ isAgain: hasSeenMore });
    } catch {
      this.#stopTimer();
    }
  }

  /** Not knowing where they are now is no reason not to sign: what was seen before stays true. */
  async #look(): Promise<void> {
    const { others } = this.#options;
    if (others) this.#seen = await others.heads().catch(() => this.#seen);
  }

  #witnessed(): { others?: Binding[] } {
    this.#signedSeen = JSON.stringify(this.#seen);
    return this.#seen.length === 0 ? {} : { others: this.#seen };
  }

  #stopTimer(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
