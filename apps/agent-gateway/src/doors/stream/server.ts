import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { CoreError } from "@belay/core";
import {
  CLOSE_CODES,
  ClientJsonFrame,
  FrameError,
  MAX_CLIENT_MESSAGE_BYTES,
  type ServerControlFrame,
  type ServerJsonFrame,
  SUBPROTOCOL,
} from "@belay/protocol";
import { type WebSocket, WebSocketServer } from "ws";
import { ZodError } from "zod";
import { GatewayError } from "../../errors.ts";
import type { Gateway } from "../../gateway.ts";
import type { Caller } from "../../people/caller.ts";
import { BinaryViewer } from "./binary-viewer.ts";
import { JsonViewer } from "./json-viewer.ts";
import { OutputFrames } from "./output-frames.ts";
import { Pens } from "./pens.ts";

const AUTH_TIMEOUT_MS = 4000;
const GOODBYE_TIMEOUT_MS = 1000;
/** A client that has not answered the previous ping is treated as gone. */
const HEARTBEAT_MS = 30_000;
/** How many unauthenticated sockets may be open at once. */
const MAX_UNKNOWN = 100;

const MAX_EARLY_MESSAGES = 100;

interface Message {
  data: Buffer;
  isBinary: boolean;
}

/** The sockets at `/ws`. A bad frame closes the socket that sent it, and nothing else. */
export class StreamServer {
  readonly #gateway: Gateway;
  readonly #pens = new Pens();
  readonly #frames = new OutputFrames();
  readonly #unknown = new Set<WebSocket>();
  readonly #unanswered = new WeakSet<WebSocket>();
  readonly #heartbeat: NodeJS.Timeout;
  readonly #stopHearingTerminals: () => void;
  readonly #sockets = new WebSocketServer({
    noServer: true,
    maxPayload: MAX_CLIENT_MESSAGE_BYTES,
    perMessageDeflate: false,
    handleProtocols: (offered) => (offered.has(SUBPROTOCOL) ? SUBPROTOCOL : false),
  });

  constructor(gateway: Gateway) {
    this.#gateway = gateway;
    this.#stopHearingTerminals = gateway.terminals.subscribe((event) => {
      // Its agent's again, or gone: people cannot type there any more.
      if ("terminal" in event && (event.type === "closed" || event.terminal.owner === "agent"))
        this.#pens.forget(event.terminal.id);
    });
    this.#heartbeat = setInterval(() => this.#beat(), HEARTBEAT_MS).unref();
  }

  /** Handles an upgrade whose Host and Origin were already checked. */
  accept(request: IncomingMessage, duplex: Duplex, head: Buffer, caller: Caller): void {
    this.#sockets.handleUpgrade(request, duplex, head, (socket) => {
      // An error here is always a client that went away or broke the protocol; `close` follows.
      socket.on("error", (error) => this.#gateway.log.debug({ err: error }, "socket failed"));
      socket.on("pong", () => this.#unanswered.delete(socket));
      if (caller.type === "anonymous") this.#waitForAuth(socket);
      else this.#serve(socket, caller);
    });
  }

  /** Closes every socket, and waits briefly for the closing handshakes. */
  async close(): Promise<void> {
    clearInterval(this.#heartbeat);
    this.#stopHearingTerminals();
    const goodbyes = [...this.#sockets.clients].map((socket) =>
      end(socket, CLOSE_CODES.goingAway, "the gateway is stopping"),
    );
    await Promise.all(goodbyes);
  }

  #beat(): void {
    for (const socket of this.#sockets.clients) {
      if (this.#unanswered.has(socket)) socket.terminate();
      this.#unanswered.add(socket);
      socket.ping();
    }
  }

  #waitForAuth(socket: WebSocket): void {
    if (this.#unknown.size >= MAX_UNKNOWN) {
      return void end(socket, CLOSE_CODES.unauthenticated, "too many unauthenticated connections");
    }
    this.#unknown.add(socket);
    const timer = setTimeout(() => void end(socket, CLOSE_CODES.authTimeout, "no token within 4 s"), AUTH_TIMEOUT_MS);
    socket.once("close", () => {
      clearTimeout(timer);
      this.#unknown.delete(socket);
    });
    // Frames sent right after the token wait until it has been verified.
    const early: Message[] = [];
    const keep = (data: Buffer, isBinary: boolean) => {
      early.push({ data, isBinary });
      if (early.length > MAX_EARLY_MESSAGES) void end(socket, CLOSE_CODES.badFrame, "too much before the answer");
    };
    socket.once("message", (message: Buffer) => {
      clearTimeout(timer);
      this.#unknown.delete(socket);
      socket.on("message", keep);
      this.#authenticate(message)
        .then(
          async (caller) => {
            if (!caller) return end(socket, CLOSE_CODES.unauthenticated, "unknown token");
            await this.#admit(socket, caller);
            socket.off("message", keep);
            this.#serve(socket, caller, early);
          },
          () => end(socket, CLOSE_CODES.badFrame, "the first message must be auth"),
        )
        // The visit cannot be recorded, so it is refused.
        .catch((error: unknown) => {
          this.#gateway.log.error({ err: error }, "a guest could not be admitted");
          socket.terminate();
        });
    });
  }

  async #authenticate(message: Buffer): Promise<Caller | null> {
    const frame = ClientJsonFrame.parse(JSON.parse(message.toString()));
    if (frame.type !== "auth") throw new FrameError("The first message must be auth.");
    const agent = await this.#gateway.agents.authenticate(frame.token);
    if (agent) return { type: "agent", agent };
    const link = await this.#gateway.shares.authenticate(frame.token);
    return link ? { type: "guest", link } : null;
  }

  /** Lets a guest in for as long as their link is valid, and records the visit. */
  async #admit(socket: WebSocket, caller: Caller): Promise<void> {
    if (caller.type !== "guest") return;
    const { shares } = this.#gateway;
    const leave = await shares.enter(caller.link, () => void end(socket, CLOSE_CODES.revoked, "the link has ended"));
    socket.once("close", leave);
  }

  #serve(socket: WebSocket, caller: Caller, early: readonly Message[] = []): void {
    if (socket.readyState !== socket.OPEN) return; // it closed while we were authenticating
    const isFast = socket.protocol === SUBPROTOCOL;
    const onFailed = (error: unknown) => this.#fail(socket, error, { isFast });
    const shared = { pens: this.#pens, frames: this.#frames, onFailed };
    const viewer = isFast
      ? new BinaryViewer(socket, caller, this.#gateway, shared)
      : new JsonViewer(socket, caller, this.#gateway, this.#pens);
    const stopWatching = this.#gateway.access.watch(caller, () => {
      // Immediately, without waiting for the closing handshake: nothing more may go in or out.
      viewer.close();
      void end(socket, CLOSE_CODES.revoked, "the session, role or token has ended");
    });
    const countOut = this.#gateway.metrics.socketOpened(isFast ? "binary" : "json");
    socket.once("close", () => {
      stopWatching();
      viewer.close();
      countOut();
    });
    // In sequence: keys must arrive in the order in which they were typed.
    let last = Promise.resolve();
    const receive = ({ data, isBinary }: Message) => {
      last = last
        .then(() => (socket.readyState === socket.OPEN ? viewer.receive(data, isBinary) : undefined))
        .catch(onFailed);
    };
    for (const message of early) receive(message);
    socket.on("message", (data: Buffer, isBinary: boolean) => receive({ data, isBinary }));
  }

  #fail(socket: WebSocket, error: unknown, { isFast }: { isFast: boolean }): void {
    if (error instanceof FrameError || error instanceof ZodError || error instanceof SyntaxError) {
      void end(socket, CLOSE_CODES.badFrame, "not a frame of this protocol");
      return;
    }
    // A viewer can cause refusals as fast as it types, so only unexpected errors are worth a line of the log.
    const isRefusal = error instanceof CoreError || error instanceof GatewayError;
    if (!isRefusal) this.#gateway.log.warn({ err: error }, "a socket message failed");
    const message = error instanceof Error ? error.message : "failed";
    const frame: ServerControlFrame | ServerJsonFrame = isFast
      ? { type: "error", code: "failed", message }
      : { type: "pty:error", error: message };
    socket.send(JSON.stringify(frame));
  }
}

/** Closes a socket with a reason; one that does not answer is cut off. */
function end(socket: WebSocket, code: number, reason: string): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => socket.terminate(), GOODBYE_TIMEOUT_MS);
    socket.once("close", () => {
      clearTimeout(timer);
      resolve();
    });
    socket.close(code, reason);
  });
}
