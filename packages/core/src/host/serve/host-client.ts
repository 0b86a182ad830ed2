import { CoreError, type CoreErrorCode } from "../../errors.ts";
import { type Method, specOf, TERMINAL_CALLS } from "../../pool/calls.ts";
import type { OutputConsumer, OutputSubscription } from "../../pool/terminal-pool.ts";
import type { TerminalHost } from "../terminal-host.ts";
import { type ClientMessage, type HostMessage, knowsEvent } from "../wire/messages.ts";
import type { Wire } from "../wire/wire.ts";
import type { StallWatch } from "./stall-watch.ts";

/** How much output of one terminal may be sent ahead of the client's acknowledgements. */
const STREAM_WINDOW_BYTES = 128 * 1024;

interface HostClientOptions {
  host: TerminalHost;
  /** Of the protocol that both speak. */
  version: number;
  stalls: StallWatch;
  onClosed: () => void;
}

/** One client of a host: its calls, the terminals that it follows, and its events. */
export class HostClient {
  readonly #wire: Wire<ClientMessage, HostMessage>;
  readonly #host: TerminalHost;
  readonly #onClosed: () => void;
  readonly #calls = new Map<number, AbortController>();
  /** Calls that were read right after this process had stalled. */
  readonly #settling = new Set<number>();
  readonly #stalls: StallWatch;
  readonly #streams = new Map<number, Stream>();
  readonly #unsubscribe: () => void;

  constructor(wire: Wire<ClientMessage, HostMessage>, { host, version, stalls, onClosed }: HostClientOptions) {
    this.#wire = wire;
    this.#stalls = stalls;
    this.#host = host;
    this.#onClosed = onClosed;
    this.#unsubscribe = host.terminals.subscribe((event) => {
      if (event.type !== "hostLost" && knowsEvent(version, event)) wire.send({ type: "event", event });
    });
  }

  /** `isLate`: its deadline has passed. Then a call is refused; other messages are harmless. */
  receive(message: ClientMessage, bytes: Buffer, isLate: boolean): void {
    switch (message.type) {
      case "hello":
        this.#wire.destroy();
        break;
      case "call":
        if (isLate) this.#refuseLate(message);
        else this.#begin(message, bytes);
        break;
      case "cancel":
        this.#calls.get(message.call)?.abort();
        break;
      case "withdraw":
        this.#settling.delete(message.call);
        break;
      case "ping":
        this.#wire.send({ type: "pong" });
        break;
      case "follow":
        this.#follow(message);
        break;
      case "unfollow":
        this.#streams.get(message.stream)?.stop();
        this.#streams.delete(message.stream);
        break;
      case "taken":
        this.#streams.get(message.stream)?.taken(message.position);
        break;
    }
  }

  #refuseLate({ call, method }: Extract<ClientMessage, { type: "call" }>): void {
    const message = `The call "${method}" arrived after its deadline, so nothing was done. Try again.`;
    this.#wire.send({ type: "failed", call, code: "call-late" satisfies CoreErrorCode, message });
  }

  close(): void {
    this.#unsubscribe();
    this.#settling.clear();
    for (const stream of this.#streams.values()) stream.stop();
    // The client no longer waits. The commands themselves continue.
    for (const call of this.#calls.values()) call.abort();
  }

  #follow({ stream: number, id, fromPosition }: Extract<ClientMessage, { type: "follow" }>): void {
    const stream = new Stream(this.#wire, number, fromPosition);
    this.#streams.set(number, stream);
    stream.start(this.#host.terminals.follow(id, fromPosition, stream));
  }

  #begin(message: Extract<ClientMessage, { type: "call" }>, bytes: Buffer): void {
    const { settleMs } = this.#stalls;
    if (settleMs === 0) {
      void this.#call(message, bytes);
      return;
    }
    this.#settling.add(message.call);
    setTimeout(() => {
      if (this.#settling.delete(message.call)) void this.#call(message, bytes);
    }, settleMs);
  }

  async #call({ call, method, args }: Extract<ClientMessage, { type: "call" }>, bytes: Buffer): Promise<void> {
    const abort = new AbortController();
    this.#calls.set(call, abort);
    try {
      const answer = await this.#handle(method, args, { signal: abort.signal, bytes });
      if (specOf(method).answersLazily) this.#wire.sendSoon({ type: "answered", call, value: null });
      else this.#answer(call, answer);
      if (method === "close") this.#onClosed();
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      const code = error instanceof CoreError ? error.code : null;
      this.#wire.send({ type: "failed", call, code, message });
    } finally {
      this.#calls.delete(call);
    }
  }

  #handle(
    method: Method,
    args: unknown[],
    { signal, bytes }: { signal: AbortSignal; bytes: Buffer },
  ): Promise<unknown> {
    const spec = specOf(method);
    const parsed = spec.args.safeParse(spec.bytes === "in" ? [...args, bytes] : args);
    if (!parsed.success) throw new Error(`The call "${method}" cannot be read: ${parsed.error.message}`);
    // The table of calls guarantees the types: the methods of the host are derived from it.
    const methods = (method in TERMINAL_CALLS ? this.#host.terminals : this.#host) as unknown as Record<
      Method,
      (...args: unknown[]) => Promise<unknown>
    >;
    return methods[method](...parsed.data, ...(spec.takesSignal ? [signal] : []));
  }

  /** Bytes in an answer are sent beside it. */
  #answer(call: number, answer: unknown): void {
    if (answer !== null && typeof answer === "object" && "bytes" in answer && answer.bytes instanceof Uint8Array) {
      const { bytes, ...value } = answer;
      this.#wire.send({ type: "answered", call, value }, answer.bytes);
    } else {
      this.#wire.send({ type: "answered", call, value: answer ?? null });
    }
  }
}

/**
 * One terminal's output to a client. It stops when the client has too much
 * unacknowledged output, and yields to others when the socket is full: a flooding
 * terminal does not block those that print a line.
 */
class Stream implements OutputConsumer {
  readonly takes = "slabs";
  readonly #wire: Wire<ClientMessage, HostMessage>;
  readonly #stream: number;
  #subscription: OutputSubscription | null = null;
  #sent: number;
  #taken: number;
  #wake: (() => void) | null = null;
  #isStopped = false;

  constructor(wire: Wire<ClientMessage, HostMessage>, stream: number, fromPosition: number) {
    this.#wire = wire;
    this.#stream = stream;
    this.#sent = fromPosition;
    this.#taken = fromPosition;
  }

  start(subscription: OutputSubscription): void {
    this.#subscription = subscription;
  }

  onOutput({ position, bytes }: { position: number; bytes: Uint8Array }): void | Promise<void> {
    this.#wire.sendOutput(this.#stream, position, bytes);
    this.#sent = position + bytes.byteLength;
    if (!this.#isAhead && !this.#wire.isFull) return;
    return this.#untilRoom();
  }

  onGap(gap: { from: number; to: number }): void {
    this.#taken = Math.max(this.#taken, gap.to);
    this.#wire.send({ type: "gap", stream: this.#stream, ...gap });
  }

  onEnd(end: { position: number; exitCode: number | null }): void {
    this.#wire.send({ type: "ended", stream: this.#stream, ...end });
  }

  taken(position: number): void {
    this.#taken = Math.max(this.#taken, position);
    if (!this.#isAhead) this.#wake?.();
  }

  stop(): void {
    this.#isStopped = true;
    this.#subscription?.stop();
    this.#wake?.();
  }

  get #isAhead(): boolean {
    return this.#sent - this.#taken >= STREAM_WINDOW_BYTES && !this.#isStopped;
  }

  async #untilRoom(): Promise<void> {
    while (this.#isAhead) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      this.#wake = null;
    }
    await this.#wire.untilRoom();
  }
}
