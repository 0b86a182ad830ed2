import { once } from "node:events";
import type { AddressInfo } from "node:net";
import {
  type ClientBinaryFrame,
  ClientControlFrame,
  decodeClientFrame,
  encodeServerFrame,
  type ServerBinaryFrame,
  type ServerControlFrame,
} from "@belay/protocol";
import { expect, onTestFinished, test } from "vitest";
import { type WebSocket as PeerSocket, WebSocket, WebSocketServer } from "ws";
import { terminalInfo } from "../testing/terminal-info.ts";
import { EarlySocket } from "./early-socket.ts";
import { type StreamSink, TerminalStream } from "./terminal-stream.ts";

const Socket = WebSocket as unknown as typeof globalThis.WebSocket;
const terminal = terminalInfo({ id: "pty-abc", owner: "user", agentId: null, position: 100 });

test("W2 shows output and acknowledges it once it is shown", async () => {
  const { peer, shown } = await openStream();

  const connection = await peer.accept();
  expect(await connection.attach()).toMatchObject({ from: "screen" });
  connection.send({ type: "output", channel: 3, position: 100, bytes: Buffer.from("hello") });

  expect(await connection.next("ack")).toEqual({ type: "ack", channel: 3, position: 105 });
  expect(shown).toEqual(["hello"]);
});

test("W2 shows what a connection received before there was a screen, and goes on with it", async () => {
  const peer = await Peer.listen();
  const accepted = peer.accept();
  const early = new EarlySocket(peer.url, "pty-abc", Socket);
  const connection = await accepted;
  expect(await connection.attach()).toMatchObject({ from: "screen" });
  connection.send({ type: "output", channel: 3, position: 100, bytes: Buffer.from("early") });
  await expect.poll(() => early.received.length).toBe(2);

  const { shown, states } = await openStream({ peer, early });
  expect(await connection.next("ack")).toEqual({ type: "ack", channel: 3, position: 105 });

  connection.send({ type: "output", channel: 3, position: 105, bytes: Buffer.from(" and late") });
  await connection.next("ack");
  connection.drop();

  expect(await (await peer.accept()).attach()).toMatchObject({ from: 114 });
  expect(shown).toEqual(["early", " and late"]);
  expect(states.slice(0, 3)).toEqual(["connecting", "live", "lost"]);
});

test("W2 WIRE-35 resumes at the byte where a lost connection stopped", async () => {
  const { peer, states } = await openStream();
  const first = await peer.accept();
  await first.attach();
  first.send({ type: "output", channel: 3, position: 100, bytes: Buffer.from("hello") });
  await first.next("ack");

  first.drop();
  const second = await peer.accept();

  expect(await second.attach()).toMatchObject({ from: 105 });
  expect(states).toContain("lost");
});

test("W2 WIRE-33 says how many bytes are missing", async () => {
  const { peer, shown } = await openStream();
  const connection = await peer.accept();
  await connection.attach();

  connection.send({ type: "gap", channel: 3, from: 100, to: 350 });
  connection.send({ type: "output", channel: 3, position: 350, bytes: Buffer.from("later") });
  await connection.next("ack");

  expect(shown).toEqual(["[250 missing]", "later"]);
});

test("W13 WIRE-27 asks for the pen, and reports who asks for it", async () => {
  const { peer, shown, stream } = await openStream();
  const connection = await peer.accept();
  await connection.attach();

  connection.tell({ type: "penAsked", channel: 3, personId: "1", name: "Olga" });
  await expect.poll(() => shown).toEqual(["[Olga asks]"]);
  stream.movePen("give", "1");

  expect(await connection.control()).toEqual({ type: "pen", channel: 3, act: "give", to: "1" });
});

test("W2 WIRE-34 a snapshot replaces what was shown", async () => {
  const { peer, shown } = await openStream();
  const connection = await peer.accept();
  await connection.attach();

  connection.send({ type: "snapshot", channel: 3, position: 900, cols: 100, rows: 30, bytes: Buffer.from("screen") });

  expect(await connection.next("ack")).toMatchObject({ position: 900 });
  expect(shown).toEqual(["[reset 100x30]", "screen"]);
});

test("W2 typing goes to the attached terminal, and is dropped before that", async () => {
  const { peer, stream } = await openStream();
  const connection = await peer.accept();
  stream.type("too early");
  await connection.attach();
  connection.send({ type: "output", channel: 3, position: 0, bytes: Buffer.from("$ ") });
  await connection.next("ack");

  stream.type("ls\r");

  const input = await connection.next("input");
  expect(input.type === "input" && Buffer.from(input.bytes).toString()).toBe("ls\r");
});

test("W2 a terminal that is gone is reported and not requested again", async () => {
  const { peer, refused } = await openStream();
  const connection = await peer.accept();
  await connection.control();

  connection.tell({ type: "error", code: "terminal-not-found", message: 'No terminal "pty-abc".' });

  expect(await refused).toBe('No terminal "pty-abc".');
});

test("W2 fetches an earlier part again, and does not acknowledge what it showed before", async () => {
  const { peer, stream, shown } = await openStream();
  const connection = await peer.accept();
  await connection.attach();
  connection.send({ type: "output", channel: 3, position: 100, bytes: Buffer.from("now") });
  await connection.next("ack");

  stream.moveTo(40);
  connection.send({ type: "output", channel: 3, position: 103, bytes: Buffer.from("on its way") });
  expect(await connection.attach()).toMatchObject({ from: 40 });
  connection.send({ type: "output", channel: 3, position: 40, bytes: Buffer.from("before") });

  expect(await connection.next("ack")).toMatchObject({ position: 46 });
  expect(shown).toEqual(["now", "[reset]", "before"]);
});

test("W2 a guest first authenticates with the token of the link", async () => {
  const { peer } = await openStream({ token: "bls_secret" });
  const connection = await peer.accept();

  expect(await connection.control()).toEqual({ type: "auth", token: "bls_secret" });
  connection.tell({ type: "ready" });

  expect(await connection.attach()).toMatchObject({ type: "attach", from: "screen" });
});

async function openStream({
  token = null,
  early = null,
  ...given
}: {
  token?: string | null;
  peer?: Peer;
  early?: EarlySocket | null;
} = {}) {
  const peer = given.peer ?? (await Peer.listen());
  const shown: string[] = [];
  const states: string[] = [];
  let refuse: (message: string) => void;
  const refused = new Promise<string>((resolve) => {
    refuse = resolve;
  });
  const sink: StreamSink = {
    write: async (bytes) => void shown.push(Buffer.from(bytes).toString()),
    reset: (size) => shown.push(size ? `[reset ${size.cols}x${size.rows}]` : "[reset]"),
    gap: (missed) => shown.push(`[${missed} missing]`),
    terminal: () => {},
    penAsked: ({ name }) => shown.push(`[${name} asks]`),
    exited: () => {},
    connection: (state) => {
      states.push(state.status);
      if (state.status === "refused") refuse(state.message);
    },
  };
  const stream = new TerminalStream({ url: peer.url, id: "pty-abc", sink, token, Socket, early });
  onTestFinished(() => stream.stop());
  return { peer, stream, shown, states, refused };
}

/** The gateway's side of the socket, controlled by the test. */
class Peer {
  readonly #server: WebSocketServer;

  private constructor(server: WebSocketServer) {
    this.#server = server;
  }

  static async listen(): Promise<Peer> {
    const server = new WebSocketServer({ port: 0, host: "127.0.0.1" });
    await once(server, "listening");
    onTestFinished(() => void server.close());
    return new Peer(server);
  }

  get url(): string {
    return `ws://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async accept(): Promise<Connection> {
    const [socket] = (await once(this.#server, "connection")) as [PeerSocket];
    return new Connection(socket);
  }
}

class Connection {
  readonly #socket: PeerSocket;
  readonly #messages: AsyncIterator<[Buffer, boolean]>;

  constructor(socket: PeerSocket) {
    this.#socket = socket;
    this.#messages = messagesOf(socket);
  }

  /** Answers the attach that a client opens with. */
  async attach(): Promise<ClientControlFrame> {
    const frame = await this.control();
    this.tell({ type: "attached", id: "pty-abc", channel: 3, position: 100, canType: true, pen: null, terminal });
    return frame;
  }

  async control(): Promise<ClientControlFrame> {
    const { value } = await this.#messages.next();
    return ClientControlFrame.parse(JSON.parse(value[0].toString()));
  }

  async next(kind: ClientBinaryFrame["type"]): Promise<ClientBinaryFrame> {
    for (;;) {
      const { value } = await this.#messages.next();
      const frame = value[1] ? decodeClientFrame(value[0]) : null;
      if (frame?.type === kind) return frame;
    }
  }

  tell(frame: ServerControlFrame): void {
    this.#socket.send(JSON.stringify(frame));
  }

  send(frame: ServerBinaryFrame): void {
    this.#socket.send(encodeServerFrame(frame));
  }

  drop(): void {
    this.#socket.terminate();
  }
}

async function* messagesOf(socket: PeerSocket): AsyncGenerator<[Buffer, boolean], never> {
  const queue: [Buffer, boolean][] = [];
  let wake = () => {};
  socket.on("message", (data: Buffer, isBinary) => {
    queue.push([data, isBinary]);
    wake();
  });
  for (;;) {
    const message = queue.shift();
    if (message) yield message;
    else await new Promise<void>((resolve) => (wake = resolve));
  }
}
