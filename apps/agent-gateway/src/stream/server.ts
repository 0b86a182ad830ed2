import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { CLOSE_CODES, ClientJsonFrame, FrameError, MAX_CLIENT_MESSAGE_BYTES, SUBPROTOCOL } from "@belay/protocol";
import { type WebSocket, WebSocketServer } from "ws";
import { ZodError } from "zod";
import type { Caller } from "../caller.ts";
import type { Gateway } from "../gateway.ts";
import { BinaryViewer } from "./binary-viewer.ts";
import { JsonViewer } from "./json-viewer.ts";

const AUTH_TIMEOUT_MS = 4000;
const GOODBYE_TIMEOUT_MS = 1000;

/** The sockets at `/ws`. A bad frame closes the socket that sent it, and nothing else. */
export class StreamServer {
  readonly #gateway: Gateway;
  readonly #sockets = new WebSocketServer({
    noServer: true,
    maxPayload: MAX_CLIENT_MESSAGE_BYTES,
    perMessageDeflate: false,
    handleProtocols: (offered) => (offered.has(SUBPROTOCOL) ? SUBPROTOCOL : false),
  });

  constructor(gateway: Gateway) {
    this.#gateway = gateway;
  }

  /** Takes over a connection whose host and origin were checked. */
  accept(request: IncomingMessage, duplex: Duplex, head: Buffer, caller: Caller): void {
    this.#sockets.handleUpgrade(request, duplex, head, (socket) => {
      // An error here is always a client that went away or broke the protocol; `close` follows.
      socket.on("error", (error) => this.#gateway.log.debug({ err: error }, "socket failed"));
      if (caller.type === "anonymous") this.#waitForAuth(socket);
      else this.#serve(socket, caller);
    });
  }

  /** Says goodbye to everyone, and waits a moment for those who answer. */
  async close(): Promise<void> {
    const open = [...this.#sockets.clients];
    const goodbyes = open.map(
      (socket) =>
        new Promise<void>((resolve) => {
          socket.once("close", () => resolve());
          socket.close(CLOSE_CODES.goingAway, "the gateway is stopping");
        }),
    );
    let timer: NodeJS.Timeout | undefined;
    const limit = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, GOODBYE_TIMEOUT_MS);
    });
    await Promise.race([Promise.all(goodbyes), limit]);
    clearTimeout(timer);
    for (const socket of open) socket.terminate();
  }

  #waitForAuth(socket: WebSocket): void {
    const timer = setTimeout(() => socket.close(CLOSE_CODES.authTimeout, "no token within 4 s"), AUTH_TIMEOUT_MS);
    socket.once("close", () => clearTimeout(timer));
    socket.once("message", (message: Buffer) => {
      clearTimeout(timer);
      this.#authenticate(message)
        .then(
          (caller) =>
            caller ? this.#admit(socket, caller) : socket.close(CLOSE_CODES.unauthenticated, "the token is not known"),
          () => socket.close(CLOSE_CODES.badFrame, "the first message must be auth"),
        )
        // The record cannot say that they came, so they do not come in.
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
    const link = await this.#gateway.console.shares.authenticate(frame.token);
    return link ? { type: "guest", link } : null;
  }

  /** A guest stays for as long as their link lives, and the record says that they came. */
  async #admit(socket: WebSocket, caller: Caller): Promise<void> {
    if (caller.type === "guest") {
      const { shares } = this.#gateway.console;
      const leave = await shares.enter(caller.link, () => socket.close(CLOSE_CODES.revoked, "the link has ended"));
      socket.once("close", leave);
    }
    this.#serve(socket, caller);
  }

  #serve(socket: WebSocket, caller: Caller): void {
    const Viewer = socket.protocol === SUBPROTOCOL ? BinaryViewer : JsonViewer;
    const viewer = new Viewer(socket, caller, this.#gateway);
    socket.once("close", () => viewer.close());
    // One after the other: keys must arrive in the order in which they were typed.
    let last = Promise.resolve();
    socket.on("message", (message: Buffer, isBinary: boolean) => {
      last = last.then(() => viewer.receive(message, isBinary)).catch((error: unknown) => this.#fail(socket, error));
    });
  }

  #fail(socket: WebSocket, error: unknown): void {
    if (error instanceof FrameError || error instanceof ZodError || error instanceof SyntaxError) {
      socket.close(CLOSE_CODES.badFrame, "not a frame of this protocol");
      return;
    }
    this.#gateway.log.warn({ err: error }, "a socket message failed");
    socket.send(JSON.stringify({ type: "pty:error", error: error instanceof Error ? error.message : "failed" }));
  }
}
