import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { createSeal, GatewayHandshake, type SigningKey } from "@belay/core";
import type { Logger } from "pino";
import { type WebSocket, WebSocketServer } from "ws";
import type { Machines } from "../../machines/machines.ts";
import { MACHINE_FRAME_BYTES } from "./frame-bytes.ts";
import { frameStream } from "./frame-stream.ts";

const HANDSHAKE_TIMEOUT_MS = 10_000;
/** How many sockets may be in their handshake at once. */
const MAX_UNPROVED = 100;
const MAX_HANDSHAKE_BYTES = 128 * 1024;
/** The WebSocket protocol's own code; the reason is in the signed verdict. */
const POLICY_VIOLATION = 1008;

/** The sockets at `/machines/join`: machines that run terminals connect here, prove themselves and are served calls. */
export class JoinServer {
  readonly #machines: Machines;
  readonly #key: SigningKey;
  readonly #log: Logger;
  readonly #unproved = new Set<WebSocket>();
  readonly #sockets = new WebSocketServer({
    noServer: true,
    maxPayload: MACHINE_FRAME_BYTES,
    perMessageDeflate: false,
  });

  constructor({ machines, machineKey, log }: { machines: Machines; machineKey: SigningKey; log: Logger }) {
    this.#machines = machines;
    this.#key = machineKey;
    this.#log = log;
  }

  accept(request: IncomingMessage, duplex: Duplex, head: Buffer): void {
    if (this.#unproved.size >= MAX_UNPROVED) {
      duplex.end("HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\n\r\n");
      return;
    }
    this.#sockets.handleUpgrade(request, duplex, head, (socket) => this.#greet(socket));
  }

  close(): void {
    for (const socket of this.#sockets.clients) socket.terminate();
  }

  #greet(socket: WebSocket): void {
    socket.on("error", (error) => this.#log.debug({ err: error }, "the socket of a machine failed"));
    this.#unproved.add(socket);
    const timer = setTimeout(() => socket.terminate(), HANDSHAKE_TIMEOUT_MS);
    const done = () => {
      clearTimeout(timer);
      this.#unproved.delete(socket);
    };
    socket.once("close", done);
    const handshake = new GatewayHandshake(this.#key, () => Date.now());
    let isProving = false;
    const onMessage = (data: Buffer, isBinary: boolean) => {
      const text = isBinary || data.byteLength > MAX_HANDSHAKE_BYTES ? "" : data.toString("utf8");
      if (!isProving) {
        isProving = true;
        const proof = handshake.prove(text);
        if (proof === null) socket.terminate();
        else socket.send(proof);
        return;
      }
      socket.off("message", onMessage);
      this.#decide(socket, handshake, text).then(done, (error: unknown) => {
        this.#log.error({ err: error }, "a machine could not join");
        socket.terminate();
      });
    };
    socket.on("message", onMessage);
  }

  async #decide(socket: WebSocket, handshake: GatewayHandshake, text: string): Promise<void> {
    const machine = handshake.check(text);
    if (!machine) return socket.terminate();
    const verdict = await this.#machines.admit(machine);
    const host = verdict.type === "joined" ? await this.#machines.hostOf(verdict.name) : null;
    if (socket.readyState !== socket.OPEN) return;
    socket.send(handshake.decide(machine, verdict));
    if (verdict.type === "refused") {
      this.#log.info({ reason: verdict.reason, hostname: machine.facts.hostname }, "a machine was refused");
      return socket.close(POLICY_VIOLATION, verdict.reason);
    }
    // In the same turn: once the machine says that it is connected, no command for it is refused.
    const seal = createSeal(this.#key, machine.connection, () => Date.now());
    host?.connected({ socket: frameStream(socket), seal });
  }
}
