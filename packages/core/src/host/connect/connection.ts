import type { Duplex } from "node:stream";
import type { TerminalId, TerminalInfo } from "@belay/protocol";
import { CoreError, type CoreErrorCode } from "../../errors.ts";
import { type Method, specOf } from "../../pool/calls.ts";
import type { PoolEvent } from "../../pool/terminal-pool.ts";
import { type HostEndpoint, openSocketPath, prepareHostFolder, readIfThere, readToken } from "../wire/endpoint.ts";
import type { Frame } from "../wire/frames.ts";
import { type ClientMessage, HostMessage, type Surroundings, type VersionRange } from "../wire/messages.ts";
import { connectReading, type Reading, type Seal, Wire, type WireEvents } from "../wire/wire.ts";
import { HEARTBEAT, Heartbeat, type HeartbeatOptions } from "./heartbeat.ts";

/** The most that is queued while the host does not read. */
const MAX_WAITING_BYTES = 8 * 1024 * 1024;

export interface GreetOptions {
  heartbeat?: HeartbeatOptions;
  protocol: VersionRange;
  program: string;
  surroundings: Surroundings;
}

export interface ConnectOptions extends GreetOptions {
  endpoint: HostEndpoint;
}

/** An open connection to a host that has not been greeted yet. */
export interface OpenedSocket {
  socket: Duplex;
  reading?: Reading;
  seal?: Seal;
}

/** Unsolicited messages. */
export interface ConnectionEvents {
  onEvent(event: PoolEvent): void;
  onOutput(output: Extract<Frame, { kind: "output" }>): void;
  onGap(gap: { stream: number; from: number; to: number }): void;
  onEnded(end: { stream: number; position: number; exitCode: number | null }): void;
  /** The host does not answer, although its socket is open. Calls fail until it answers again. */
  onHung(error: CoreError): void;
  onClose(): void;
}

/** The connection broke before the answer came. The outcome of the call is unknown. */
export class ConnectionLostError extends Error {
  override readonly name = "ConnectionLostError";
}

interface PendingCall {
  resolve: (answer: { value: unknown; bytes: Buffer }) => void;
  reject: (error: Error) => void;
}

/** Connects to an existing host; null if there is none. */
export async function connectToHost(options: ConnectOptions, events: ConnectionEvents): Promise<HostConnection | null> {
  await prepareHostFolder(options.endpoint);
  const pid = await readIfThere(options.endpoint.pid);
  const opened = await openSocket(options.endpoint);
  if (!opened) return null;
  // The token is read after connecting: a host writes it before it listens, so it is not that of an earlier host.
  return greetHost(opened, { ...options, pid, readToken: () => readToken(options.endpoint) }, events);
}

/** Greets a host over an open socket, and resolves once it has welcomed us. */
export function greetHost(
  opened: OpenedSocket,
  options: GreetOptions & { pid: string | null; readToken: () => Promise<string> },
  events: ConnectionEvents,
): Promise<HostConnection> {
  return new Promise((resolve, reject) => {
    // Created in the same turn as the connect event, so that a host that dies right then is noticed.
    const { protocol, program, surroundings, pid, heartbeat = HEARTBEAT } = options;
    const connection = new HostConnection(opened, { events, heartbeat, pid }, (welcome) => {
      if (welcome instanceof Error) reject(welcome);
      else resolve(connection);
    });
    options.readToken().then(
      (token) => connection.greet({ type: "hello", protocol, program, surroundings, token }),
      (error: unknown) => {
        reject(error);
        connection.close();
      },
    );
  });
}

/** One connection to a host, from its greeting to its end. */
export class HostConnection {
  readonly #wire: Wire<HostMessage, ClientMessage>;
  readonly #events: ConnectionEvents;
  readonly #pending = new Map<number, PendingCall>();
  readonly #onGreeted: (welcome: HostConnection | Error) => void;
  readonly #timer: NodeJS.Timeout;
  readonly #heartbeat: Heartbeat;
  readonly #pidOnDisk: string | null;
  #lastCall = 0;
  #welcome: Extract<HostMessage, { type: "welcome" }> | null = null;

  constructor(
    { socket, reading, seal }: OpenedSocket,
    { events, heartbeat, pid }: { events: ConnectionEvents; heartbeat: HeartbeatOptions; pid: string | null },
    onGreeted: (welcome: HostConnection | Error) => void,
  ) {
    this.#events = events;
    this.#onGreeted = onGreeted;
    this.#pidOnDisk = pid;
    const wireEvents: WireEvents<HostMessage> = {
      onMessage: (message, bytes) => {
        this.#heartbeat.heard();
        this.#receive(message, bytes);
      },
      onOutput: (output) => {
        this.#heartbeat.heard();
        events.onOutput(output);
      },
      onClose: (error) => this.#closed(error),
    };
    this.#wire = new Wire<HostMessage, ClientMessage>(socket, HostMessage, wireEvents, { reading, seal });
    this.#heartbeat = new Heartbeat(heartbeat, {
      ping: () => {
        if (this.#welcome) this.#wire.send({ type: "ping" });
      },
      onHung: (silentMs) => this.#hung(silentMs),
    });
    this.#timer = setTimeout(() => {
      this.#onGreeted(this.#hungError(heartbeat.hungAfterMs, "Nothing was done."));
      this.#wire.destroy();
    }, heartbeat.hungAfterMs);
  }

  get hostId(): string {
    return this.#welcome?.hostId ?? "";
  }

  get hostPid(): number {
    return this.#welcome?.pid ?? 0;
  }

  /** As they were when the connection was made. */
  get terminals(): TerminalInfo[] {
    return this.#welcome?.terminals ?? [];
  }

  greet(hello: Extract<ClientMessage, { type: "hello" }>): void {
    this.#wire.send(hello);
  }

  /** Makes a call from the table of calls, with the matching types. */
  async call(method: Method, args: readonly unknown[], signal?: AbortSignal): Promise<unknown> {
    if (this.#wire.waitingBytes > MAX_WAITING_BYTES) {
      throw new CoreError("input-full", "Too much input is queued for the terminals. Wait a moment and try again.");
    }
    if (this.#heartbeat.isHung) throw this.#hungError(this.#heartbeat.silentMs, "Nothing was done.");
    const spec = specOf(method);
    // An older host closes the connection when it gets a message that it does not know.
    if (spec.since !== undefined && (this.#welcome?.version ?? 0) < spec.since) {
      throw new CoreError(
        "host-incompatible",
        "These terminals are held by an older version of Belay that cannot do this. It works for terminals that are opened after they have closed.",
      );
    }
    const [plain, attached] = spec.bytes === "in" ? detachLast(args) : [args, undefined];
    const call = ++this.#lastCall;
    const cancel = () => {
      this.#wire.send({ type: "cancel", call });
      this.#pending.get(call)?.reject(signal?.reason);
    };
    signal?.throwIfAborted();
    signal?.addEventListener("abort", cancel);
    try {
      const { value, bytes } = await new Promise<{ value: unknown; bytes: Buffer }>((resolve, reject) => {
        this.#pending.set(call, { resolve, reject });
        this.#wire.send({ type: "call", call, method, args: [...plain] }, attached);
      });
      return spec.result.parse(spec.bytes === "out" && value !== null ? { ...(value as object), bytes } : value);
    } finally {
      this.#pending.delete(call);
      signal?.removeEventListener("abort", cancel);
    }
  }

  follow(stream: number, id: TerminalId, fromPosition: number): void {
    this.#wire.send({ type: "follow", stream, id, fromPosition });
  }

  unfollow(stream: number): void {
    this.#wire.send({ type: "unfollow", stream });
  }

  taken(stream: number, position: number): void {
    this.#wire.send({ type: "taken", stream, position });
  }

  close(): void {
    this.#wire.end();
  }

  /** Ends it without waiting for the other side. */
  destroy(): void {
    this.#wire.destroy();
  }

  #receive(message: HostMessage, bytes: Buffer): void {
    switch (message.type) {
      case "pong":
        break;
      case "welcome":
        clearTimeout(this.#timer);
        this.#welcome = message;
        this.#onGreeted(this);
        break;
      case "refused":
        this.#onGreeted(refusal(message));
        break;
      case "answered":
        this.#pending.get(message.call)?.resolve({ value: message.value, bytes });
        break;
      case "failed":
        this.#pending.get(message.call)?.reject(toError(message));
        break;
      case "event":
        this.#events.onEvent(message.event);
        break;
      case "gap":
        this.#events.onGap(message);
        break;
      case "ended":
        this.#events.onEnded(message);
        break;
    }
  }

  /** Gives up all pending calls. The host may still execute those that it has already read. */
  #hung(silentMs: number): void {
    if (!this.#welcome) return;
    const error = this.#hungError(silentMs, "It is unknown whether it executed the request.");
    for (const [call, { reject }] of [...this.#pending]) {
      this.#wire.send({ type: "withdraw", call });
      reject(error);
    }
    this.#events.onHung(error);
  }

  #hungError(silentMs: number, outcome: string): CoreError {
    const pid = this.#welcome?.pid ?? this.#pidOnDisk;
    const who = pid === null ? "that holds the terminals" : `${pid}, which holds the terminals,`;
    const wayOut = pid === null ? "" : `, or end it and all terminals: kill -9 ${pid}`;
    return new CoreError(
      "host-hung",
      `The process ${who} has not answered for ${Math.round(silentMs / 1_000)} s. ${outcome} Wait for it${wayOut}`,
    );
  }

  #closed(error: Error | null): void {
    clearTimeout(this.#timer);
    this.#heartbeat.stop();
    const lost = new ConnectionLostError("The connection to the terminals' host ended.", { cause: error });
    if (!this.#welcome) {
      this.#onGreeted(lost);
      return;
    }
    for (const { reject } of [...this.#pending.values()]) reject(lost);
    this.#events.onClose();
  }
}

function detachLast(args: readonly unknown[]): [readonly unknown[], Uint8Array] {
  const data = args.at(-1) as string | Uint8Array;
  return [args.slice(0, -1), typeof data === "string" ? Buffer.from(data) : data];
}

function openSocket(endpoint: HostEndpoint): Promise<ReturnType<typeof connectReading> | null> {
  const { path, release } = openSocketPath(endpoint);
  return new Promise<ReturnType<typeof connectReading> | null>((resolve, reject) => {
    const opened = connectReading(path);
    const { socket } = opened;
    socket.once("connect", () => resolve(opened));
    socket.once("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT" || error.code === "ECONNREFUSED") resolve(null);
      else reject(error);
    });
  }).finally(release);
}

function toError({ code, message }: Extract<HostMessage, { type: "failed" }>): Error {
  return code === null ? new Error(message) : new CoreError(code as CoreErrorCode, message);
}

function refusal({ reason, pid, program, openTerminals, protocol }: Extract<HostMessage, { type: "refused" }>): Error {
  if (reason === "token") {
    return new CoreError("host-refused", `The host of the terminals (process ${pid}) was started anew; try again.`);
  }
  const open = openTerminals === 1 ? "1 terminal is" : `${openTerminals} terminals are`;
  return new CoreError(
    "host-incompatible",
    `${open} held by another version of Belay (${program}, process ${pid}, protocol ${protocol.min} to ${protocol.max}), ` +
      "which this one cannot speak to. Nothing was ended. To keep them, start that version again. " +
      `To end them and go on with this one: kill ${pid}, and start Belay again.`,
  );
}
