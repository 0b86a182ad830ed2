import {
  CLOSE_CODES,
  decodeServerFrame,
  encodeClientFrame,
  ServerControlFrame,
  SUBPROTOCOL,
  type TerminalId,
  type TerminalInfo,
} from "@belay/protocol";

/** What a stream tells the screen it feeds. */
export interface StreamSink {
  /** Painted or parsed when the promise settles: that is what gets acknowledged. */
  write(bytes: Uint8Array): Promise<void>;
  /** Forget what is shown: a whole screen follows. */
  reset(size: { cols: number; rows: number }): void;
  gap(missedBytes: number): void;
  terminal(info: TerminalInfo, canType: boolean): void;
  exited(exitCode: number | null): void;
  connection(state: ConnectionState): void;
}

export type ConnectionState =
  | { status: "connecting" }
  | { status: "live" }
  | { status: "lost"; retryInMs: number }
  | { status: "refused"; message: string };

const FIRST_RETRY_MS = 250;
const LONGEST_RETRY_MS = 8_000;

/** Follows one terminal over `belay.v1`, and goes on at the byte where it stopped when the connection is lost. */
export class TerminalStream {
  readonly #url: string;
  readonly #id: TerminalId;
  readonly #sink: StreamSink;
  readonly #Socket: typeof WebSocket;
  #socket: WebSocket | null = null;
  #channel: number | null = null;
  /** After the last byte that reached the sink; null before the first attach. */
  #position: number | null = null;
  #retryMs = FIRST_RETRY_MS;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isStopped = false;
  #writing = Promise.resolve();

  constructor(options: { url: string; id: TerminalId; sink: StreamSink; Socket?: typeof WebSocket }) {
    this.#url = options.url;
    this.#id = options.id;
    this.#sink = options.sink;
    this.#Socket = options.Socket ?? WebSocket;
    this.#connect();
  }

  type(text: string): void {
    if (this.#channel === null || this.#socket?.readyState !== this.#Socket.OPEN) return;
    this.#socket.send(
      encodeClientFrame({ type: "input", channel: this.#channel, bytes: new TextEncoder().encode(text) }),
    );
  }

  resize(cols: number, rows: number): void {
    if (this.#channel !== null) this.#tell({ type: "resize", channel: this.#channel, cols, rows });
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    this.#socket?.close();
  }

  #connect(): void {
    this.#sink.connection({ status: "connecting" });
    const socket = new this.#Socket(this.#url, SUBPROTOCOL);
    socket.binaryType = "arraybuffer";
    this.#socket = socket;
    socket.onopen = () => this.#tell({ type: "attach", id: this.#id, from: this.#position ?? "screen" });
    socket.onmessage = ({ data }) => {
      if (typeof data === "string") this.#receiveControl(ServerControlFrame.parse(JSON.parse(data)));
      else this.#receiveBinary(new Uint8Array(data as ArrayBuffer));
    };
    socket.onclose = ({ code }) => {
      this.#channel = null;
      if (this.#isStopped) return;
      if (code === CLOSE_CODES.unauthenticated || code === CLOSE_CODES.revoked || code === CLOSE_CODES.authTimeout) {
        return this.#sink.connection({
          status: "refused",
          message: "You are signed out. Sign in again to go on watching.",
        });
      }
      this.#sink.connection({ status: "lost", retryInMs: this.#retryMs });
      this.#timer = setTimeout(() => this.#connect(), this.#retryMs);
      this.#retryMs = Math.min(this.#retryMs * 2, LONGEST_RETRY_MS);
    };
  }

  #receiveControl(frame: ServerControlFrame): void {
    switch (frame.type) {
      case "attached":
        this.#channel = frame.channel;
        this.#position ??= frame.position;
        this.#retryMs = FIRST_RETRY_MS;
        this.#sink.terminal(frame.terminal, frame.canType);
        this.#sink.connection({ status: "live" });
        return;
      case "exit":
        // Behind the output that came before it.
        this.#writing = this.#writing.then(() => this.#sink.exited(frame.exitCode));
        return;
      case "error":
        if (frame.code === "terminal-not-found") {
          this.stop();
          this.#sink.connection({ status: "refused", message: frame.message });
        }
        return;
      case "terminal":
        this.#sink.terminal(frame.terminal, frame.canType);
        return;
      case "ready":
      case "detached":
      case "pong":
        return;
    }
  }

  #receiveBinary(message: Uint8Array): void {
    const frame = decodeServerFrame(message);
    switch (frame.type) {
      case "gap":
        this.#position = frame.to;
        this.#writing = this.#writing.then(() => this.#sink.gap(frame.to - frame.from));
        return;
      case "snapshot":
        this.#position = frame.position;
        this.#sink.reset({ cols: frame.cols, rows: frame.rows });
        this.#write(frame.channel, frame.bytes, frame.position);
        return;
      case "output":
        this.#position = frame.position + frame.bytes.byteLength;
        this.#write(frame.channel, frame.bytes, this.#position);
    }
  }

  #write(channel: number, bytes: Uint8Array, position: number): void {
    const socket = this.#socket;
    this.#writing = this.#writing
      .then(() => this.#sink.write(bytes))
      .then(() => {
        if (socket?.readyState === this.#Socket.OPEN)
          socket.send(encodeClientFrame({ type: "ack", channel, position }));
      });
  }

  #tell(frame: object): void {
    if (this.#socket?.readyState === this.#Socket.OPEN) this.#socket.send(JSON.stringify(frame));
  }
}
