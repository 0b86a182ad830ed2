import { onTestFinished } from "vitest";
import { type ClientOptions, WebSocket } from "ws";

/** A plain socket at `/ws` that queues its messages until a test reads them. */
export class TestSocket {
  readonly socket: WebSocket;
  readonly received: Record<string, unknown>[] = [];
  closed: { code: number; reason: string } | null = null;
  readonly #waiting = new Set<() => void>();

  private constructor(socket: WebSocket) {
    this.socket = socket;
    socket.on("message", (data: Buffer, isBinary) => {
      this.received.push(isBinary ? { type: "binary", bytes: data } : JSON.parse(data.toString()));
      this.#wake();
    });
    socket.on("close", (code, reason) => {
      this.closed = { code, reason: reason.toString() };
      this.#wake();
    });
    socket.on("error", () => {}); // `close` follows, with the code
  }

  static open(
    url: string,
    { path = "/ws", protocol, ...options }: ClientOptions & { path?: string; protocol?: string } = {},
  ): Promise<TestSocket> {
    const address = `${url.replace(/^http/, "ws")}${path}`;
    const socket = new WebSocket(address, protocol === undefined ? [] : [protocol], options);
    const opened = new TestSocket(socket);
    onTestFinished(() => socket.terminate());
    return new Promise((resolve, reject) => {
      socket.once("open", () => resolve(opened));
      socket.once("error", reject);
    });
  }

  send(message: unknown): void {
    this.socket.send(JSON.stringify(message));
  }

  /** Waits for the next message that has all these fields. */
  async expect(fields: Record<string, unknown>): Promise<Record<string, unknown>> {
    const isIt = (message: Record<string, unknown>) =>
      Object.entries(fields).every(([name, value]) => message[name] === value);
    for (;;) {
      const at = this.received.findIndex(isIt);
      if (at >= 0) return this.received.splice(at, 1)[0] ?? {};
      if (this.closed) throw new Error(`It closed (${this.closed.code}) before ${JSON.stringify(fields)} came.`);
      await this.#change();
    }
  }

  async expectClose(): Promise<number> {
    while (!this.closed) await this.#change();
    return this.closed.code;
  }

  #change(): Promise<void> {
    return new Promise((resolve) => this.#waiting.add(resolve));
  }

  #wake(): void {
    for (const resolve of this.#waiting) resolve();
    this.#waiting.clear();
  }
}
