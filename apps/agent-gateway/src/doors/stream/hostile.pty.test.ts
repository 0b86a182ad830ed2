import { randomBytes } from "node:crypto";
import { CLOSE_CODES, encodeClientFrame, encodeServerFrame, MAX_CLIENT_MESSAGE_BYTES } from "@belay/protocol";
import { expect, test, vi } from "vitest";
import { spawnForPerson } from "../../terminals/person.ts";
import { startTestGateway } from "../../testing/start-test-gateway.ts";
import { TestSocket } from "../../testing/test-socket.ts";
import { TestViewer } from "../../testing/test-viewer.ts";

const PersonTerminal = { cols: 80, rows: 24 };

test("B8 G5 any message closes at most its own socket", { timeout: 120_000 }, async () => {
  const gateway = await startTestGateway();
  const headers = { cookie: await gateway.signIn() };
  const bystander = await TestSocket.open(gateway.url(), { headers, protocol: "belay.v1" });
  const texts = [
    "",
    "{",
    "null",
    "[]",
    '"auth"',
    '{"type":"unknown"}',
    '{"type":"pty:attach"}',
    '{"type":"pty:attach","id":"../../etc/passwd"}',
    '{"type":"pty:input","id":"pty-1","data":7}',
    '{"type":"pty:resize","id":"pty-1","cols":0,"rows":24}',
    '{"type":"pty:resize","id":"pty-1","cols":1e9,"rows":24}',
    '{"type":"pty:attach","id":"pty-1","more":true}',
    '{"__proto__":{"type":"pty:attach"}}',
    `${"[".repeat(30_000)}`,
    "\u0000\uFFFF",
  ];
  const binaries = [
    new Uint8Array(),
    Uint8Array.of(0xff),
    Uint8Array.of(1, 0, 0),
    encodeServerFrame({ type: "gap", channel: 1, from: 0, to: 1 }),
    Uint8Array.of(2, 0, 0, 0, 1, 255, 255, 255, 255, 255, 255, 255, 255),
    randomBytes(500).fill(9, 0, 1),
  ];
  const close = async (message: string | Uint8Array, protocol?: string) => {
    const socket = await TestSocket.open(gateway.url(), { headers, ...(protocol ? { protocol } : {}) });
    socket.socket.send(message);
    return socket.expectClose();
  };

  const plain = await Promise.all([...texts, ...binaries].map((message) => close(message)));
  const fast = await Promise.all([...texts, ...binaries].map((message) => close(message, "belay.v1")));
  const large = await Promise.all([
    close("x".repeat(MAX_CLIENT_MESSAGE_BYTES + 1)),
    close(new Uint8Array(MAX_CLIENT_MESSAGE_BYTES + 1), "belay.v1"),
  ]);

  expect(new Set(plain)).toEqual(new Set([CLOSE_CODES.badFrame]));
  expect(new Set(fast)).toEqual(new Set([CLOSE_CODES.badFrame]));
  expect(large).toEqual([1009, 1009]);
  bystander.send({ type: "ping", nonce: "still here" });
  expect(await bystander.expect({ type: "pong" })).toEqual({ type: "pong", nonce: "still here" });
});

test("WIRE-5 a socket without authentication within 4 s is closed; a token in the address is ignored", async () => {
  const gateway = await startTestGateway();
  const { token } = await gateway.addAgent();
  const open = (options?: Parameters<typeof TestSocket.open>[1]) => TestSocket.open(gateway.url(), options);
  const silent = await open();
  const inAddress = await open({ path: `/ws?token=${token}&authorization=Bearer%20${token}` });
  const wrong = await open();
  const notFirst = await open();
  const right = await open({ protocol: "belay.v1" });

  wrong.send({ type: "auth", token: "blt_nobody" });
  notFirst.send({ type: "pty:attach", id: "pty-1" });
  right.send({ type: "auth", token });

  expect(await right.expect({ type: "ready" })).toEqual({ type: "ready" });
  expect(await Promise.all([silent, inAddress, wrong, notFirst].map((socket) => socket.expectClose()))).toEqual([
    CLOSE_CODES.authTimeout,
    CLOSE_CODES.authTimeout,
    CLOSE_CODES.unauthenticated,
    CLOSE_CODES.badFrame,
  ]);
  expect(right.closed).toBeNull();
});

test("B8 a silent client is disconnected, one that answers stays", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  try {
    const gateway = await startTestGateway();
    const headers = { cookie: await gateway.signIn() };
    const answers = await TestSocket.open(gateway.url(), { headers });
    const silent = await TestSocket.open(gateway.url(), { headers, autoPong: false });
    const pinged = new Promise<void>((resolve) => answers.socket.once("ping", () => resolve()));

    vi.advanceTimersByTime(30_000);
    await pinged;
    // Its pong has arrived once the gateway has answered a later message.
    answers.send({ type: "pty:attach", id: "pty-1" });
    await answers.expect({ type: "pty:error" });
    vi.advanceTimersByTime(30_000);

    expect(await silent.expectClose()).toBe(1006);
    expect(answers.closed).toBeNull();
  } finally {
    vi.useRealTimers();
  }
});

test("B8 a client that does not read delays no one, and gets the rest when it reads again", async () => {
  const gateway = await startTestGateway();
  const headers = { cookie: await gateway.signIn() };
  const { id } = await spawnForPerson(gateway, PersonTerminal, { type: "local" });
  const [slow, fast] = await Promise.all([
    TestSocket.open(gateway.url(), { headers }),
    TestSocket.open(gateway.url(), { headers }),
  ]);
  for (const socket of [slow, fast]) {
    socket.send({ type: "pty:attach", id });
    await socket.expect({ type: "pty:attached" });
  }

  slow.socket.pause();
  fast.send({ type: "pty:input", id, data: "seq 1 400000; echo the-end-$((1+1))\n" });
  await readUntil(fast, "the-end-2");
  slow.socket.resume();
  await readUntil(slow, "the-end-2");
});

test("B8 an acknowledgement beyond what was sent closes the socket", async () => {
  const gateway = await startTestGateway();
  const headers = { cookie: await gateway.signIn() };
  const { id } = await spawnForPerson(gateway, PersonTerminal, { type: "local" });
  const socket = await TestSocket.open(gateway.url(), { headers, protocol: "belay.v1" });
  socket.send({ type: "attach", id, from: 0 });
  const { channel } = (await socket.expect({ type: "attached" })) as { channel: number };

  socket.socket.send(encodeClientFrame({ type: "ack", channel, position: 2 ** 40 }));

  expect(await socket.expectClose()).toBe(CLOSE_CODES.badFrame);
});

async function readUntil(socket: TestSocket, text: string): Promise<void> {
  let tail = "";
  while (!tail.includes(text)) {
    const { data } = await socket.expect({ type: "pty:output" });
    tail = (tail + String(data)).slice(-200);
  }
}

test("B8 a message that cannot be carried out is answered with an error of the same protocol", async () => {
  const gateway = await startTestGateway();
  const { id } = await spawnForPerson(gateway, PersonTerminal, { type: "local" });
  const viewer = await TestViewer.connect(gateway.url(), { cookie: await gateway.signIn() });
  const { channel } = await viewer.attach(id);
  viewer.send({ type: "input", channel, bytes: Buffer.from("stty raw -echo; exec sleep 600\n") });

  // More than the terminal and its queue take from a program that does not read.
  for (let at = 0; at < 80; at += 1) viewer.send({ type: "input", channel, bytes: Buffer.alloc(16_000, "x") });

  expect(await viewer.expect("error")).toMatchObject({
    code: "failed",
    message: expect.stringContaining("not reading"),
  });
});
