import { CLOSE_CODES } from "@belay/protocol";
import { expect, test } from "vitest";
import { startTestGateway, type TestGateway } from "../../testing/start-test-gateway.ts";
import { TestAgent } from "../../testing/test-agent.ts";
import { TestSocket } from "../../testing/test-socket.ts";

const PERSON = { email: "ada@belay.test", password: "correct horse battery" };
const admin = { type: "local" } as const;

test("G5 a socket is closed when its session, role or person ends, and others stay", {
  timeout: 120_000,
}, async () => {
  const gateway = await startTestGateway();
  await gateway.people.add({ ...PERSON, name: "Ada", role: "operator" }, admin);
  const stays = await TestSocket.open(gateway.url(), { headers: { cookie: await gateway.signIn() } });
  const ends: Record<string, (cookie: string) => Promise<unknown>> = {
    "signs out": (cookie) => fetch(`${gateway.url()}/api/auth/sign-out`, { method: "POST", headers: { cookie } }),
    "session ended by an admin": async () => gateway.people.endSession(await onlySession(gateway), admin),
    "another role": () => gateway.people.setRole(PERSON.email, "viewer", admin),
    "new password": () => gateway.people.setPassword(PERSON.email, `${PERSON.password} staple`, admin),
    removed: () => gateway.people.remove(PERSON.email, admin),
  };

  for (const [what, end] of Object.entries(ends)) {
    const password = what === "removed" ? `${PERSON.password} staple` : PERSON.password;
    const cookie = await gateway.signIn({ ...PERSON, password });
    const sockets = await Promise.all([
      TestSocket.open(gateway.url(), { headers: { cookie } }),
      TestSocket.open(gateway.url(), { headers: { cookie }, protocol: "belay.v1" }),
    ]);
    const stream = await fetch(`${gateway.url()}/trpc/events.all`, { headers: { cookie } });

    await end(cookie);

    expect(await Promise.all(sockets.map((socket) => socket.expectClose())), what).toEqual([
      CLOSE_CODES.revoked,
      CLOSE_CODES.revoked,
    ]);
    // The stream of events ends too: its text is complete.
    expect(await stream.text(), what).toContain("connected");
  }
  expect(stays.closed).toBeNull();
});

test("G5 revoking an agent's token in the middle of a stream ends it, and its calls", async () => {
  const gateway = await startTestGateway();
  const { token, name } = await gateway.addAgent({ profile: "trusted" });
  const agent = await TestAgent.connect(gateway.url(), token);
  const { terminal_id: id } = await agent.call("terminal", { command: "echo ready" });
  const socket = await TestSocket.open(gateway.url());
  socket.send({ type: "auth", token });
  socket.send({ type: "pty:attach", id });
  await socket.expect({ type: "pty:attached" });
  const waiting = callTool(gateway, token, { command: "yes flood", idle_ms: 40_000, terminal_id: id }).catch(
    (error: Error) => error,
  );
  await socket.expect({ type: "pty:output" });

  await gateway.agents.revoke(name, admin);

  expect(await socket.expectClose()).toBe(CLOSE_CODES.revoked);
  expect(await waiting).toBeInstanceOf(Error);
  await expect(TestAgent.connect(gateway.url(), token)).rejects.toThrow();
  const again = await TestSocket.open(gateway.url());
  again.send({ type: "auth", token });
  expect(await again.expectClose()).toBe(CLOSE_CODES.unauthenticated);
});

test("G5 an agent's socket is closed when its token expires", async () => {
  const gateway = await startTestGateway();
  const { token, name } = await gateway.addAgent();
  const socket = await TestSocket.open(gateway.url(), { headers: { authorization: `Bearer ${token}` } });

  await gateway.agents.update(name, { expiresAt: Date.now() + 50 }, admin);

  expect(await socket.expectClose()).toBe(CLOSE_CODES.revoked);
});

/** A raw call, since the MCP client retries when its answer is cut off. */
async function callTool(gateway: TestGateway, token: string, args: object): Promise<string> {
  const response = await fetch(`${gateway.url()}/mcp`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${token}`,
      accept: "application/json, text/event-stream",
      "content-type": "application/json",
      "mcp-protocol-version": "2025-06-18",
    },
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name: "terminal", arguments: args },
    }),
  });
  return response.text();
}

async function onlySession(gateway: TestGateway): Promise<string> {
  const ada = (await gateway.people.list()).find(({ email }) => email === PERSON.email);
  const [session, ...others] = await gateway.people.sessions(ada?.id ?? "");
  expect(others).toEqual([]);
  return session?.id ?? "";
}
