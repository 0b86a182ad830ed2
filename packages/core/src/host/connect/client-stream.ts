import type { OutputConsumer } from "../../pool/terminal-pool.ts";

/** How much is received before the host gets an acknowledgement. */
const ACKNOWLEDGE_AT_BYTES = 64 * 1024;

type Item =
  | { type: "output"; position: number; bytes: Buffer }
  | { type: "gap"; from: number; to: number }
  | { type: "end"; position: number; exitCode: number | null };

/** One terminal's output from the host, delivered at the consumer's pace. */
export class ClientStream {
  readonly #consumer: OutputConsumer;
  readonly #acknowledge: (position: number) => void;
  readonly #queue: Item[] = [];
  #received: number;
  #acknowledged: number;
  #isDelivering = false;
  #isStopped = false;

  constructor(fromPosition: number, consumer: OutputConsumer, acknowledge: (position: number) => void) {
    this.#received = fromPosition;
    this.#acknowledged = fromPosition;
    this.#consumer = consumer;
    this.#acknowledge = acknowledge;
  }

  /** Where it resumes if the connection breaks. */
  get receivedPosition(): number {
    return this.#received;
  }

  /** The bytes of output are valid only until this returns. */
  push(item: Item): void {
    if (this.#isStopped) return;
    if (item.type === "output") this.#received = item.position + item.bytes.byteLength;
    if (item.type === "gap") this.#received = item.to;
    const isTakenAtOnce = !this.#isDelivering && this.#consumer.takes === "views";
    this.#queue.push(item.type === "output" && !isTakenAtOnce ? { ...item, bytes: Buffer.from(item.bytes) } : item);
    if (!this.#isDelivering) void this.#deliver();
  }

  stop(): void {
    this.#isStopped = true;
    this.#queue.length = 0;
  }

  async #deliver(): Promise<void> {
    this.#isDelivering = true;
    for (let item = this.#queue.shift(); item && !this.#isStopped; item = this.#queue.shift()) {
      if (item.type === "gap") this.#consumer.onGap(item);
      else if (item.type === "end") this.#consumer.onEnd(item);
      else {
        const taken = this.#consumer.onOutput(item);
        // A consumer that throws gets nothing more; it reports its own failure.
        if (taken instanceof Promise) await taken.catch(() => this.stop());
        this.#took(item.position + item.bytes.byteLength);
      }
    }
    this.#isDelivering = false;
  }

  #took(position: number): void {
    if (position - this.#acknowledged < ACKNOWLEDGE_AT_BYTES || this.#isStopped) return;
    this.#acknowledged = position;
    this.#acknowledge(position);
  }
}
