import type { Pen, ServerControlFrame, TerminalId, TerminalInfo } from "@belay/protocol";
import { decodeServerFrame, encodeClientFrame, SUBPROTOCOL } from "@belay/protocol/binary-frames";
import { CLOSE_CODES } from "@belay/protocol/close-codes";
import type { EarlySocket } from "./early-socket.ts";

/** Who may type, and who has the pen. */
export interface Typing {
  /** Whether keys from this window are accepted: it may type, and no other window has the pen. */
  canType: boolean;
  /** Null while the pen is free. */
  pen: Pen | null;
}

/** A person who asks this window for the pen. */
export interface PenRequest {
  personId: string;
  name: string;
}

/** What a stream delivers to its screen. */
export interface StreamSink {
  /** Acknowledged when the promise settles, so it settles once the bytes are painted or parsed. `position` is that of the first byte; null if they draw a screen instead of being output. */
  write(bytes: Uint8Array, position: number | null): Promise<void>;
  /** Clears the screen, because other content follows. Without a size it keeps the current one. */
  reset(size?: { cols: number; rows: number }): void;
  gap(missedBytes: number): void;
  terminal(info: TerminalInfo, typing: Typing): void;
  penAsked(request: PenRequest): void;
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

/** Follows one terminal over `belay.v1`, and resumes at the byte where it stopped after a lost connection. */
export class TerminalStream {
  readonly #url: string;
  readonly #id: TerminalId;
  readonly #sink: StreamSink;
  readonly #Socket: typeof WebSocket;
  readonly #token: string | null;
  #socket: WebSocket | null = null;
  #channel: number | null = null;
  /** After the last byte that reached the sink; null before the first attach. */
  #position: number | null = null;
  #retryMs = FIRST_RETRY_MS;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isStopped = false;
  /** Set while an attach at another position is pending: frames until then are from before. */
  #isMoving = false;
  /** Counts the jumps: bytes received before one are not acknowledged after it. */
  #moves = 0;
  #writing = Promise.resolve();

  /** With a token (of a share link) it authenticates itself; without one the browser sends the person's cookie. */
  constructor(options: {
    url: string;
    id: TerminalId;
    sink: StreamSink;
    token?: string | null;
    /** A connection on which the screen was already asked for. */
    early?: EarlySocket | null;
    Socket?: typeof WebSocket;
  }) {
    this.#url = options.url;
    this.#id = options.id;
    this.#sink = options.sink;
    this.#token = options.token ?? null;
    this.#Socket = options.Socket ?? WebSocket;
    if (options.early) this.#continue(options.early);
    else this.#connect();
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

  /** Asks for the pen, takes it, or gives it: back, or to the person who asked. */
  movePen(act: "ask" | "take" | "give", to?: string): void {
    if (this.#channel !== null) this.#tell({ type: "pen", channel: this.#channel, act, ...(to && { to }) });
  }

  /** Shows everything from a position on, or the current screen. */
  moveTo(from: number | "screen"): void {
    if (this.#channel === null) return;
    this.#isMoving = true;
    this.#moves += 1;
    this.#position = from === "screen" ? null : from;
    this.#tell({ type: "attach", id: this.#id, from });
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
    socket.onopen = () => {
      if (this.#token === null) this.#attach();
      else this.#tell({ type: "auth", token: this.#token });
    };
    this.#use(socket);
  }

  /** Uses a connection on which the screen was asked for before there was a sink. */
  #continue({ socket, received }: EarlySocket): void {
    this.#sink.connection({ status: "connecting" });
    this.#use(socket);
    for (const data of received) this.#receive(data);
  }

  #use(socket: WebSocket): void {
    this.#socket = socket;
    socket.onmessage = ({ data }) => this.#receive(data);
    socket.onclose = ({ code }) => {
      this.#channel = null;
      this.#isMoving = false;
      if (this.#isStopped) return;
      if (code === CLOSE_CODES.unauthenticated || code === CLOSE_CODES.revoked || code === CLOSE_CODES.authTimeout) {
        return this.#sink.connection({
          status: "refused",
          message:
            this.#token === null
              ? "You are signed out. Sign in again to continue watching."
              : "This link has ended. Ask the person who sent it for a new one.",
        });
      }
      this.#sink.connection({ status: "lost", retryInMs: this.#retryMs });
      this.#timer = setTimeout(() => this.#connect(), this.#retryMs);
      this.#retryMs = Math.min(this.#retryMs * 2, LONGEST_RETRY_MS);
    };
  }

  #receive(data: unknown): void {
    // Not parsed with its schema, like answers of tRPC: this page came from the same gateway, and zod is as large as a page.
    if (typeof data === "string") this.#receiveControl(JSON.parse(data) as ServerControlFrame);
    else this.#receiveBinary(new Uint8Array(data as ArrayBuffer));
  }

  #receiveControl(frame: ServerControlFrame): void {
    switch (frame.type) {
      case "attached":
        this.#channel = frame.channel;
        if (this.#isMoving) this.#writing = this.#writing.then(() => this.#sink.reset());
        this.#isMoving = false;
        this.#position ??= frame.position;
        this.#retryMs = FIRST_RETRY_MS;
        this.#sink.terminal(frame.terminal, frame);
        this.#sink.connection({ status: "live" });
        return;
      case "exit":
        // Queued after the output that came before it.
        this.#writing = this.#writing.then(() => this.#sink.exited(frame.exitCode));
        return;
      case "error":
        if (frame.code === "terminal-not-found") {
          this.stop();
          this.#sink.connection({ status: "refused", message: frame.message });
        }
        // It could not be attached to just now, for example because its host was lost: tried again like a lost connection.
        if (frame.code === "failed" && this.#channel === null) this.#socket?.close();
        return;
      case "terminal":
        this.#sink.terminal(frame.terminal, frame);
        return;
      case "penAsked":
        this.#sink.penAsked(frame);
        return;
      case "ready":
        if (this.#token !== null) this.#attach();
        return;
      case "detached":
      case "pong":
        return;
    }
  }

  #receiveBinary(message: Uint8Array): void {
    if (this.#isMoving) return;
    const frame = decodeServerFrame(message);
    switch (frame.type) {
      case "gap":
        this.#position = frame.to;
        this.#writing = this.#writing.then(() => this.#sink.gap(frame.to - frame.from));
        return;
      case "snapshot":
        this.#position = frame.position;
        this.#writing = this.#writing.then(() => this.#sink.reset({ cols: frame.cols, rows: frame.rows }));
        this.#write(frame.channel, frame.bytes, { from: null, to: frame.position });
        return;
      case "output":
        this.#position = frame.position + frame.bytes.byteLength;
        this.#write(frame.channel, frame.bytes, { from: frame.position, to: this.#position });
    }
  }

  #attach(): void {
    this.#tell({ type: "attach", id: this.#id, from: this.#position ?? "screen" });
  }

  #write(channel: number, bytes: Uint8Array, { from, to }: { from: number | null; to: number }): void {
    const socket = this.#socket;
    const moves = this.#moves;
    this.#writing = this.#writing
      .then(() => this.#sink.write(bytes, from))
      .then(() => {
        if (socket?.readyState === this.#Socket.OPEN && moves === this.#moves)
          socket.send(encodeClientFrame({ type: "ack", channel, position: to }));
      });
  }

  #tell(frame: object): void {
    if (this.#socket?.readyState === this.#Socket.OPEN) this.#socket.send(JSON.stringify(frame));
  }
}
