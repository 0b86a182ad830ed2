import { setTimeout as delay } from "node:timers/promises";
import { decodeServerFrame, encodeClientFrame, SUBPROTOCOL } from "@belay/protocol";
import { WebSocket } from "ws";
import type { ProvedGateway } from "./proved-gateway.ts";

const AGAIN_MS = 200;
/** A socket that says nothing for so long is tried again: its link may be cut without a word. */
const SILENT_MS = 15_000;

/**
 * A viewer of a terminal that counts. After every break it attaches again, at any gateway, after the last byte it has, and checks
 * that each byte comes once and that no number is missing.
 */
export class ByteWatch {
  readonly id: string;
  readonly problems: string[] = [];
  readonly #gateways: readonly ProvedGateway[];
  #socket: WebSocket | null = null;
  #position = 0;
  #rest = "";
  #isStopped = false;
  readonly #done: Promise<void>;
  /** The last number that it has seen. */
  count = 0;
  breaks = 0;

  constructor(id: string, gateways: readonly ProvedGateway[]) {
    this.id = id;
    this.#gateways = gateways;
    this.#done = this.#follow();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#socket?.terminate();
    await this.#done;
  }

  async #follow(): Promise<void> {
    while (!this.#isStopped) {
      await this.#watchOnce();
      this.breaks += 1;
      await delay(AGAIN_MS);
    }
  }

  #watchOnce(): Promise<void> {
    const gateway = this.#gateways[Math.floor(Math.random() * this.#gateways.length)] as ProvedGateway;
    const url = `${gateway.url.replace(/^http/, "ws")}/ws?terminal=${this.id}`;
    const headers = { cookie: gateway.cookie, origin: gateway.url };
    const socket = new WebSocket(url, SUBPROTOCOL, { headers, perMessageDeflate: false });
    this.#socket = socket;
    let silence = setTimeout(() => socket.terminate(), SILENT_MS);
    socket.on("open", () => socket.send(JSON.stringify({ type: "attach", id: this.id, from: this.#position })));
    socket.on("message", (data: Buffer, isBinary) => {
      clearTimeout(silence);
      silence = setTimeout(() => socket.terminate(), SILENT_MS);
      if (!isBinary) {
        if ((JSON.parse(data.toString()) as { type: string }).type === "error") socket.terminate();
        return;
      }
      const frame = decodeServerFrame(data);
      if (frame.type === "gap") this.problems.push(`${this.id}: bytes ${frame.from} to ${frame.to} are lost`);
      if (frame.type === "gap") this.#position = frame.to;
      if (frame.type !== "output") return;
      this.#take(frame.position, frame.bytes);
      socket.send(encodeClientFrame({ type: "ack", channel: frame.channel, position: this.#position }));
    });
    socket.on("error", () => {}); // a close follows
    return new Promise((resolve) =>
      socket.once("close", () => {
        clearTimeout(silence);
        resolve();
      }),
    );
  }

  #take(position: number, bytes: Uint8Array): void {
    if (position !== this.#position)
      this.problems.push(`${this.id}: byte ${position} came where byte ${this.#position} was next`);
    this.#position = position + bytes.byteLength;
    const lines = (this.#rest + Buffer.from(bytes).toString("latin1")).split("\n");
    this.#rest = lines.pop() ?? "";
    for (const line of lines) {
      const number = Number(/tick-(\d+)\r?$/.exec(line)?.[1] ?? Number.NaN);
      if (Number.isNaN(number)) continue;
      if (number !== this.count + 1) this.problems.push(`${this.id}: ${number} came after ${this.count}`);
      this.count = number;
    }
  }
}
