import { encodeClientFrame, type TerminalId } from "@belay/protocol";
import { expect, test } from "vitest";
import { spawnForPerson } from "../../terminals/person.ts";
import { startTestGateway } from "../../testing/start-test-gateway.ts";
import { TestAgent } from "../../testing/test-agent.ts";
import { TestSocket } from "../../testing/test-socket.ts";

const NOT_FOUND = "Session not found";
const READ_ONLY = expect.stringMatching(/^Only an operator (types into|resizes) a terminal, and only a user terminal$/);

test("B8 B9 G5 every message of the socket, from everyone, to a person's terminal and to an agent's", {
  timeout: 120_000,
}, async () => {
  const gateway = await startTestGateway();
  const owner = await gateway.addAgent({ name: "owner", profile: "trusted" });
  const other = await gateway.addAgent({ name: "other" });
  const agent = await TestAgent.connect(gateway.url(), owner.token);
  const agentTerminal = (await agent.call("terminal", { command: "echo ready" })).terminal_id as TerminalId;
  await agent.close();
  const userTerminal = (await spawnForPerson(gateway, { cols: 80, rows: 24 }, { type: "local" })).id;
  const headersOf: Record<string, Record<string, string>> = {
    owner: { authorization: `Bearer ${owner.token}` },
    other: { authorization: `Bearer ${other.token}` },
    admin: { cookie: await gateway.signIn() },
  };
  for (const role of ["viewer", "operator"] as const) {
    const person = { email: `${role}@belay.test`, password: "correct horse battery" };
    await gateway.people.add({ ...person, name: role, role }, { type: "system" });
    headersOf[role] = { cookie: await gateway.signIn(person) };
  }

  const answers: Record<string, unknown> = {};
  for (const [who, headers] of Object.entries(headersOf)) {
    // In sequence: a window that types has the pen until it closes.
    const inTurn = async <T>(attempt: (socket: TestSocket, id: TerminalId) => T, id: TerminalId, protocol?: string) => {
      const socket = await TestSocket.open(gateway.url(), { headers, ...(protocol && { protocol }) });
      const answer = await attempt(socket, id);
      socket.socket.close();
      await socket.expectClose();
      return answer;
    };
    answers[who] = {
      plain: { user: await inTurn(tryPlain, userTerminal), agent: await inTurn(tryPlain, agentTerminal) },
      fast: {
        user: await inTurn(tryFast, userTerminal, "belay.v1"),
        agent: await inTurn(tryFast, agentTerminal, "belay.v1"),
      },
    };
  }

  const hidden = { plain: { attach: NOT_FOUND, input: NOT_FOUND, resize: NOT_FOUND }, fast: "terminal-not-found" };
  const watched = {
    plain: { attach: "ok", input: READ_ONLY, resize: READ_ONLY },
    fast: { canType: false, input: "read-only", resize: "read-only" },
  };
  const held = {
    plain: { attach: "ok", input: "ok", resize: "ok" },
    fast: { canType: true, input: "ok", resize: "ok" },
  };
  const both = (user: typeof hidden | typeof watched | typeof held, agentOwned: typeof hidden | typeof watched) => ({
    plain: { user: user.plain, agent: agentOwned.plain },
    fast: { user: user.fast, agent: agentOwned.fast },
  });
  expect(answers).toEqual({
    owner: both(hidden, watched),
    other: both(hidden, hidden),
    viewer: both(watched, watched),
    operator: both(held, watched),
    admin: both(held, watched),
  });
});

test("B10 consoles get the documented events: created, output, promoted, closed", async () => {
  const gateway = await startTestGateway();
  const console_ = await TestSocket.open(gateway.url(), { headers: { cookie: await gateway.signIn() } });
  const stranger = await TestSocket.open(gateway.url(), {
    headers: { authorization: `Bearer ${(await gateway.addAgent({ name: "stranger" })).token}` },
  });
  // Both are subscribed once they have been answered.
  for (const socket of [console_, stranger]) {
    socket.send({ type: "pty:attach", id: "pty-0" });
    await socket.expect({ type: "pty:error" });
  }

  const agent = await gateway.connectAgent({ profile: "trusted" });
  const { terminal_id: id } = await agent.call("terminal", { command: "echo said-$((1+1))" });
  const created = await console_.expect({ type: "terminal", event: "created" });
  let output = "";
  while (!output.includes("said-2")) {
    const told = await console_.expect({ type: "terminal", event: "output" });
    expect(Object.keys(told).sort()).toEqual(["event", "output", "terminal", "type"]);
    output += told.output;
  }
  await gateway.terminals.promote(id as TerminalId);
  const promoted = await console_.expect({ type: "terminal", event: "promoted" });
  await gateway.terminals.kill(id as TerminalId, { reason: "killed" });
  const closed = await console_.expect({ type: "terminal", event: "closed" });

  const terminal = { id, cwd: expect.any(String), owner: "agent", visible: false, createdAt: expect.any(Number) };
  expect(created).toEqual({ type: "terminal", event: "created", terminal });
  expect(promoted).toEqual({
    type: "terminal",
    event: "promoted",
    terminal: { ...terminal, owner: "user", visible: true },
  });
  expect(closed).toMatchObject({ type: "terminal", event: "closed", terminal: { id, owner: "user" } });
  expect(stranger.received).toEqual([]);
});

async function tryPlain(socket: TestSocket, id: TerminalId) {
  const answers: Record<string, unknown> = {};
  const messages = {
    attach: { type: "pty:attach", id },
    input: { type: "pty:input", id, data: " " },
    resize: { type: "pty:resize", id, cols: 90, rows: 30 },
  };
  for (const [name, message] of Object.entries(messages)) {
    socket.send(message);
    // A successful action has no answer of its own, but the next message has one.
    socket.send({ type: "pty:attach", id: "pty-none" });
    await socket.expect({ type: "pty:error", id: "pty-none" });
    const [refusal] = socket.received.filter(({ type }) => type === "pty:error");
    answers[name] = refusal ? refusal.error : "ok";
    socket.received.length = 0;
  }
  return answers;
}

async function tryFast(socket: TestSocket, id: TerminalId) {
  const ask = async () => {
    socket.send({ type: "ping", nonce: "x" });
    await socket.expect({ type: "pong" });
    const [refusal] = socket.received.filter(({ type }) => type === "error");
    return refusal?.code ?? "ok";
  };
  socket.send({ type: "attach", id, from: "screen" });
  const refused = await ask();
  if (refused !== "ok") return refused;
  const { channel, canType } = (await socket.expect({ type: "attached" })) as { channel: number; canType: boolean };
  socket.socket.send(encodeClientFrame({ type: "input", channel, bytes: Buffer.from(" ") }));
  const input = await ask();
  socket.received.length = 0;
  socket.send({ type: "resize", channel, cols: 91, rows: 31 });
  return { canType, input, resize: await ask() };
}
