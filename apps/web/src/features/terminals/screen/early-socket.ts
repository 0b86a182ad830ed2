import type { TerminalId } from "@belay/protocol";
import { SUBPROTOCOL } from "@belay/protocol/binary-frames";

/** Nothing shows the terminal, for example because the person has signed out. */
const UNUSED_AFTER_MS = 10_000;

/** A connection to a terminal that asks for its screen before there is one to draw it on, and keeps what it receives. */
export class EarlySocket {
  readonly socket: WebSocket;
  readonly received: unknown[] = [];

  constructor(url: string, id: TerminalId, Socket = WebSocket) {
    const socket = new Socket(url, SUBPROTOCOL);
    socket.binaryType = "arraybuffer";
    socket.onopen = () => socket.send(JSON.stringify({ type: "attach", id, from: "screen" }));
    socket.onmessage = ({ data }) => this.received.push(data);
    this.socket = socket;
  }

  /** Whether it is open, or about to be. */
  get isGood(): boolean {
    return this.socket.readyState <= this.socket.OPEN;
  }
}

const early = new Map<TerminalId, EarlySocket>();

export function socketUrl(id: TerminalId): string {
  const { protocol, host } = window.location;
  return `${protocol === "https:" ? "wss" : "ws"}://${host}/ws?terminal=${id}`;
}

/** Connects while the page that will show the terminal is still loading. */
export function openEarlySocket(id: TerminalId): void {
  early.set(id, new EarlySocket(socketUrl(id), id));
  setTimeout(() => takeEarlySocket(id)?.socket.close(), UNUSED_AFTER_MS);
}

/** The connection that was opened early, if it is still good; only once. */
export function takeEarlySocket(id: TerminalId): EarlySocket | null {
  const taken = early.get(id);
  early.delete(id);
  return taken?.isGood ? taken : null;
}
