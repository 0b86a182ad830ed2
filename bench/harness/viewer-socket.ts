import { randomBytes } from "node:crypto";
import { connect, type Socket } from "node:net";
import type { Watcher } from "./target.ts";

const READ_BYTES = 256 * 1024;
const OPCODE = { continuation: 0, text: 1, binary: 2, ping: 9, pong: 10 } as const;

interface ViewerSocketOptions {
  url: string;
  protocol?: string;
  headers?: Record<string, string>;
  /** The data is valid only until it returns. */
  onMessage(data: Buffer, isBinary: boolean): void;
}

export interface ViewerSocket extends Pick<Watcher, "stall" | "slowTo"> {
  send(data: string | Uint8Array): void;
  close(): void;
}

/**
 * The client's end of a WebSocket that costs little: it reads into one buffer, and copies only messages that arrive in pieces.
 *
 * Ten viewers of one terminal share the processors with the server that is measured. In a library made for
 * programs, they take as much time as the server; browsers on other machines take none of it.
 */
export async function openViewerSocket(options: ViewerSocketOptions): Promise<ViewerSocket> {
  const { url, protocol, headers = {}, onMessage } = options;
  const { hostname, port, pathname, search, host } = new URL(url);
  let bytesPerSecond = 0;
  const socket: Socket = connect({
    host: hostname,
    port: Number(port),
    noDelay: true,
    onread: {
      buffer: Buffer.allocUnsafeSlow(READ_BYTES),
      callback: (byteLength, buffer) => {
        receive(Buffer.from(buffer.buffer, buffer.byteOffset, byteLength));
        if (bytesPerSecond === 0) return true;
        setTimeout(() => socket.resume(), (byteLength / bytesPerSecond) * 1000);
        return false;
      },
    },
  });
  const messages = new MessageReader((opcode, data) => {
    if (opcode === OPCODE.ping) socket.write(frame(OPCODE.pong, data));
    else if (opcode === OPCODE.text || opcode === OPCODE.binary) onMessage(data, opcode === OPCODE.binary);
  });
  let receive: (chunk: Buffer) => void = () => {};
  await new Promise<void>((resolve, reject) => {
    let answer = Buffer.alloc(0);
    receive = (chunk) => {
      answer = Buffer.concat([answer, chunk]);
      const end = answer.indexOf("\r\n\r\n");
      if (end < 0) return;
      const [status = ""] = answer.toString("latin1", 0, end).split("\r\n");
      if (!status.includes(" 101 ")) return reject(new Error(`${url} answered: ${status}`));
      receive = (next) => messages.push(next);
      resolve();
      receive(answer.subarray(end + 4));
    };
    socket.once("error", reject);
    const lines = {
      host,
      connection: "Upgrade",
      upgrade: "websocket",
      "sec-websocket-version": "13",
      "sec-websocket-key": randomBytes(16).toString("base64"),
      ...(protocol && { "sec-websocket-protocol": protocol }),
      ...headers,
    };
    const head = Object.entries(lines).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.write(`GET ${pathname}${search} HTTP/1.1\r\n${head.join("")}\r\n`);
  });
  // A server that is closed at the end of a run resets its connections.
  socket.on("error", () => {});
  return {
    send: (data) =>
      socket.write(typeof data === "string" ? frame(OPCODE.text, Buffer.from(data)) : frame(OPCODE.binary, data)),
    stall: () => socket.pause(),
    slowTo: (limit) => {
      bytesPerSecond = limit;
    },
    close: () => socket.destroy(),
  };
}

/** A client must mask its frames; a mask of zeros leaves the bytes as they are. */
function frame(opcode: number, data: Uint8Array): Buffer {
  if (data.byteLength > 0xffff) throw new Error("A viewer sends only short messages.");
  const isShort = data.byteLength < 126;
  const header = Buffer.alloc(isShort ? 6 : 8);
  header[0] = 0x80 | opcode;
  header[1] = 0x80 | (isShort ? data.byteLength : 126);
  if (!isShort) header.writeUInt16BE(data.byteLength, 2);
  return Buffer.concat([header, data]);
}

/** Finds messages in what a server sends, whose frames are not masked. */
class MessageReader {
  readonly #onMessage: (opcode: number, data: Buffer) => void;
  /** The beginning of a frame that is not complete. */
  #begun = Buffer.allocUnsafeSlow(READ_BYTES);
  #filled = 0;

  constructor(onMessage: (opcode: number, data: Buffer) => void) {
    this.#onMessage = onMessage;
  }

  push(chunk: Buffer): void {
    let rest = chunk;
    while (rest.byteLength > 0) {
      if (this.#filled === 0) {
        const length = frameLength(rest);
        if (length === null || length > rest.byteLength) {
          this.#keep(rest);
          return;
        }
        this.#take(rest.subarray(0, length));
        rest = rest.subarray(length);
      } else {
        rest = this.#complete(rest);
      }
    }
  }

  /** Adds what the frame that has begun still lacks, and returns the bytes after it. */
  #complete(bytes: Buffer): Buffer {
    const known = frameLength(this.#begun.subarray(0, this.#filled));
    // Without a whole header, its next byte is all that is certain to belong to it.
    const missing = known === null ? 1 : known - this.#filled;
    const piece = bytes.subarray(0, missing);
    this.#keep(piece);
    const length = frameLength(this.#begun.subarray(0, this.#filled));
    if (length === this.#filled) {
      this.#filled = 0;
      this.#take(this.#begun.subarray(0, length));
    }
    return bytes.subarray(piece.byteLength);
  }

  #keep(bytes: Buffer): void {
    if (this.#filled + bytes.byteLength > this.#begun.byteLength) {
      const larger = Buffer.allocUnsafeSlow(2 * (this.#filled + bytes.byteLength));
      this.#begun.copy(larger, 0, 0, this.#filled);
      this.#begun = larger;
    }
    bytes.copy(this.#begun, this.#filled);
    this.#filled += bytes.byteLength;
  }

  #take(whole: Buffer): void {
    const first = whole[0] ?? 0;
    if ((first & 0x80) === 0) throw new Error("None of the compared servers splits messages.");
    this.#onMessage(first & 0x0f, whole.subarray(headerLength(whole)));
  }
}

function headerLength(begin: Buffer): number {
  const length = (begin[1] ?? 0) & 0x7f;
  return length < 126 ? 2 : length === 126 ? 4 : 10;
}

/** The length of the frame that begins here; null if too little of it is there to know. */
function frameLength(begin: Buffer): number | null {
  if (begin.byteLength < 2) return null;
  const header = headerLength(begin);
  if (begin.byteLength < header) return null;
  if (header === 2) return 2 + ((begin[1] ?? 0) & 0x7f);
  return header + (header === 4 ? begin.readUInt16BE(2) : Number(begin.readBigUInt64BE(2)));
}
