import type { CommandId } from "@belay/protocol";
import type { CommandOutcome } from "../../commands/outcome.ts";

const RETRY_EVERY_MS = 1000;

interface Closing {
  outcome: CommandOutcome;
  write: () => Promise<void>;
  onWritten: () => void;
  why: string;
}

/**
 * Results of commands that could not be recorded, for example because the disk was full.
 *
 * The command has run: it is neither undone nor run again. Its result is kept
 * here, and written as soon as possible.
 */
export class UnrecordedResults {
  readonly #waiting = new Map<CommandId, Closing>();
  #timer: NodeJS.Timeout | undefined;
  #retrying: Promise<void> | null = null;

  /** Writes the result of a command. False if that has to wait; `onWritten` is called when it is done. */
  async write(id: CommandId, outcome: CommandOutcome, write: Closing["write"], onWritten = () => {}): Promise<boolean> {
    try {
      await write();
    } catch (error) {
      // The first report of a result was made when it happened.
      const told = this.#waiting.get(id)?.outcome ?? outcome;
      this.#waiting.set(id, { outcome: told, write, onWritten, why: messageOf(error) });
      this.#timer ??= setInterval(() => void this.retry(), RETRY_EVERY_MS).unref();
      return false;
    }
    this.#waiting.delete(id);
    onWritten();
    return true;
  }

  /** The result of a command that is not recorded yet. */
  endOf(id: CommandId): CommandOutcome | null {
    return this.#waiting.get(id)?.outcome ?? null;
  }

  get problem(): string | null {
    const [first] = this.#waiting.values();
    if (!first) return null;
    const count = this.#waiting.size;
    const ends = count === 1 ? "The end of one command is" : `The ends of ${count} commands are`;
    return `${ends} not on record yet (${first.why}). It is tried again every second.`;
  }

  /** Retries all of them once, oldest first. */
  retry(): Promise<void> {
    this.#retrying ??= this.#retryAll().finally(() => {
      this.#retrying = null;
    });
    return this.#retrying;
  }

  /** After a last attempt. The next start closes the rest, from what the terminals know. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.retry();
  }

  async #retryAll(): Promise<void> {
    for (const [id, { outcome, write, onWritten }] of [...this.#waiting]) {
      // The disk is still full: the others would fail as well.
      if (!(await this.write(id, outcome, write, onWritten))) return;
    }
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}

function messageOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return cause instanceof Error ? cause.message : String(cause);
}
