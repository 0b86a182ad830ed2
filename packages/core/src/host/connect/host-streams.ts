import type { TerminalId } from "@belay/protocol";
import type { OutputConsumer, OutputSubscription } from "../../pool/terminal-pool.ts";
import { ClientStream } from "./client-stream.ts";
import type { ConnectionEvents, HostConnection } from "./connection.ts";
import type { KnownTerminals } from "./known-terminals.ts";
import { Mirror } from "./mirror.ts";

interface OpenStream {
  id: TerminalId;
  stream: ClientStream;
  /** The connection that carries it. */
  on: HostConnection | null;
}

/** The followed output of terminals in a host, across its connections. */
export class HostStreams {
  readonly #known: KnownTerminals;
  /** The connection, once there is one. */
  readonly #connection: () => Promise<HostConnection>;
  readonly #streams = new Map<number, OpenStream>();
  readonly #mirrors = new Map<TerminalId, { mirror: Mirror; stop(): void }>();
  #lastStream = 0;

  constructor(known: KnownTerminals, connection: () => Promise<HostConnection>) {
    this.#known = known;
    this.#connection = connection;
  }

  /** What a connection reports about streams. */
  readonly events: Pick<ConnectionEvents, "onOutput" | "onGap" | "onEnded"> = {
    onOutput: ({ stream: number, position, bytes }) => {
      const open = this.#streams.get(number);
      if (!open) return;
      this.#known.reached(open.id, position + bytes.byteLength);
      open.stream.push({ type: "output", position, bytes });
    },
    onGap: ({ stream: number, from, to }) => this.#streams.get(number)?.stream.push({ type: "gap", from, to }),
    onEnded: ({ stream: number, position, exitCode }) => {
      const open = this.#streams.get(number);
      this.#streams.delete(number);
      open?.stream.push({ type: "end", position, exitCode });
    },
  };

  follow(id: TerminalId, fromPosition: number, consumer: OutputConsumer): OutputSubscription {
    // If the terminal may not have reached this position, only the host knows.
    if (fromPosition < 0 || !this.#known.hasReached(id, fromPosition)) return this.#open(id, fromPosition, consumer);
    let shared = this.#mirrors.get(id);
    if (!shared?.mirror.has(fromPosition)) {
      // Older than what the others follow: it gets its own stream.
      if (shared?.mirror.isFollowed) return this.#open(id, fromPosition, consumer);
      shared?.stop();
      const mirror = new Mirror(fromPosition);
      shared = { mirror, stop: this.#open(id, fromPosition, mirror).stop };
      this.#mirrors.set(id, shared);
    }
    const { mirror, stop } = shared;
    const follower = mirror.follow(fromPosition, consumer);
    return {
      stop: () => {
        follower.stop();
        if (mirror.isFollowed) return;
        stop();
        if (this.#mirrors.get(id)?.mirror === mirror) this.#mirrors.delete(id);
      },
    };
  }

  /** Continues all streams over another connection, where they stopped. */
  resumeOn(connection: HostConnection): void {
    for (const number of this.#streams.keys()) this.#carry(connection, number);
  }

  /** The host is gone: every stream ends where it stopped. */
  endAll(): void {
    for (const { stream } of this.#streams.values()) {
      stream.push({ type: "end", position: stream.receivedPosition, exitCode: null });
    }
    this.#streams.clear();
    this.#mirrors.clear();
  }

  #open(id: TerminalId, fromPosition: number, consumer: OutputConsumer): OutputSubscription {
    const number = ++this.#lastStream;
    const stream = new ClientStream(fromPosition, consumer, (position) => {
      this.#onceConnected((connection) => connection.taken(number, position));
    });
    this.#streams.set(number, { id, stream, on: null });
    this.#onceConnected((connection) => this.#carry(connection, number));
    return {
      stop: () => {
        stream.stop();
        if (!this.#streams.delete(number)) return;
        this.#onceConnected((connection) => connection.unfollow(number));
      },
    };
  }

  /** A connection that fails is reported by the link. */
  #onceConnected(act: (connection: HostConnection) => void): void {
    this.#connection()
      .then(act)
      .catch(() => {});
  }

  /** Makes a connection carry this stream, unless it already does. */
  #carry(connection: HostConnection, number: number): void {
    const open = this.#streams.get(number);
    if (!open || open.on === connection) return;
    open.on = connection;
    connection.follow(number, open.id, open.stream.receivedPosition);
  }
}
