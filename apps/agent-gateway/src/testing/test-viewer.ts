import {
  type ClientBinaryFrame,
  type ClientControlFrame,
  decodeServerFrame,
  encodeClientFrame,
  type ServerBinaryFrame,
  ServerControlFrame,
  SUBPROTOCOL,
  type TerminalId,
} from "@belay/protocol";
import { WebSocket } from "ws";

type Received = ServerBinaryFrame | ServerControlFrame;

/** A viewer over a real socket that speaks `belay.v1`. It acknowledges only when told to. */
export class TestViewer {
  readonly #socket: WebSocket;
  readonly #received: Received[] = [];
  readonly #waiting = new Set<() => void>();
  closeCode: number | null = null;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.on("message", (data: Buffer, isBinary) => {
      this.#received.push(isBinary ? decodeServerFrame(data) : ServerControlFrame.parse(JSON.parse(data.toString())));
      this.#wake();
    });
    socket.on("close", (code) => {
      this.closeCode = code;
      this.#wake();
    });
  }

  static connect(url: string, headers: Record<string, string>, query = ""): Promise<TestViewer> {
    return new Promise((resolve, reject) => {
      const socket = new WebSocket(`${url.replace(/^http/, "ws")}/ws${query}`, SUBPROTOCOL, { headers });
      const viewer = new TestViewer(socket);
      socket.once("open", () => resolve(viewer));
      socket.once("error", reject);
    });
  }

  tell(frame: ClientControlFrame): void {
    this.#socket.send(JSON.stringify(frame));
  }

  send(frame: ClientBinaryFrame): void {
    this.#socket.send(encodeClientFrame(frame));
  }

  async attach(id: TerminalId, from: number | "screen" = "screen") {
    this.tell({ type: "attach", id, from });
    return this.expect("attached");
  }

  /** Waits for the next frame of this kind. */
  async expect<Kind extends Received["type"]>(kind: Kind): Promise<Extract<Received, { type: Kind }>> {
    for (;;) {
      const at = this.#received.findIndex(({ type }) => type === kind);
      if (at >= 0) return this.#received.splice(at, 1)[0] as Extract<Received, { type: Kind }>;
      if (this.closeCode !== null)
        throw new Error(`The socket closed (${this.closeCode}) before a frame "${kind}" came.`);
      await this.#change();
    }
  }

  /** Reads and acknowledges output until it contains the text. */
  async expectText(text: string): Promise<string> {
    const chunks: Buffer[] = [];
    for (;;) {
      const frame = await this.expect("output");
      chunks.push(Buffer.from(frame.bytes));
      this.send({ type: "ack", channel: frame.channel, position: frame.position + frame.bytes.byteLength });
      const all = Buffer.concat(chunks).toString();
      if (all.includes(text)) return all;
    }
  }

  async expectClose(): Promise<number> {
    while (this.closeCode === null) await this.#change();
    return this.closeCode;
  }

  close(): void {
    this.#socket.close();
  }

  #change(): Promise<void> {
    return new Promise((resolve) => this.#waiting.add(resolve));
  }

  #wake(): void {
    for (const resolve of this.#waiting) resolve();
    this.#waiting.clear();
  }
}
