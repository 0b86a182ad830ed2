import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { startTestGateway } from "../../testing/start-test-gateway.ts";

test("G1 readiness is public, and its details are for signed-in people", async () => {
  const gateway = await startTestGateway({ security: {} });
  const cookie = await gateway.signIn();
  const get = async (path: string, headers: Record<string, string> = {}) => {
    const response = await fetch(`${gateway.url()}${path}`, { headers });
    return [response.status, await response.json()];
  };

  const fine = await get("/readyz");
  writeFileSync(join(gateway.dataDir, "security.json"), "{");
  await vi.waitFor(async () => expect((await get("/readyz"))[0]).toBe(503), 10_000);
  const badPolicy = [await get("/readyz"), await get("/readyz", { cookie })];

  expect(fine).toEqual([200, { status: "ready", problems: [] }]);
  expect(badPolicy).toEqual([
    [503, { status: "degraded", problems: [{ part: "policy" }] }],
    [503, { status: "degraded", problems: [{ part: "policy", problem: expect.stringContaining("security.json:1:") }] }],
  ]);
  expect(await get("/healthz")).toEqual([200, { status: "ok" }]);
});

test("G1 metrics are for admins and the configured token", async () => {
  const token = "a-token-for-the-monitoring";
  const gateway = await startTestGateway({ env: { BELAY_METRICS_TOKEN: token } });
  const operator = { email: "op@belay.test", password: "correct horse battery" };
  await gateway.people.add({ ...operator, name: "op", role: "operator" }, { type: "system" });
  const agent = await gateway.connectAgent();
  await agent.call("terminal", { command: "echo counted" });
  const asking = agent.call("terminal", { command: "invented-program" });
  await vi.waitFor(async () => expect(await gateway.approvals.list({ state: "pending" })).toHaveLength(1));
  const [waiting] = await gateway.approvals.list({ state: "pending" });
  if (waiting) await gateway.approvals.decide(waiting.id, { decision: "deny", message: null }, await gateway.admin());
  await asking;
  const get = (headers: Record<string, string>) => fetch(`${gateway.url()}/metrics`, { headers });

  const agentToken = (await gateway.addAgent({ name: "other" })).token;
  const refused = await Promise.all([
    get({}),
    get({ authorization: "Bearer wrong" }),
    get({ authorization: `Bearer ${agentToken}` }),
    get({ cookie: await gateway.signIn(operator) }),
  ]);
  const byAdmin = await get({ cookie: await gateway.signIn() });
  const text = await (await get({ authorization: `Bearer ${token}` })).text();

  expect(refused.map(({ status }) => status)).toEqual([401, 401, 401, 401]);
  expect(byAdmin.status).toBe(200);
  for (const line of [
    /^belay_commands_total\{verdict="allow"\} 1$/m,
    /^belay_commands_total\{verdict="ask"\} 1$/m,
    /^belay_commands_closed_total\{outcome="ran"\} 1$/m,
    /^belay_commands_closed_total\{outcome="refused"\} 1$/m,
    /^belay_terminals\{owner="agent",state="running",activity="idle"\} \d$/m,
    /^belay_audit_append_seconds_count [1-9]\d*$/m,
    /^belay_approval_wait_seconds_count\{answer="denied"\} 1$/m,
    /^# TYPE belay_stream_bytes_total counter$/m,
    /^belay_event_loop_delay_seconds\{quantile="0.99"\} /m,
  ])
    expect(text).toMatch(line);
});

test("B11 an operator opens their own terminal with POST /pty/spawn", async () => {
  const gateway = await startTestGateway();
  const people = await Promise.all(
    (["viewer", "operator"] as const).map(async (role) => {
      const person = { email: `${role}@belay.test`, password: "correct horse battery" };
      await gateway.people.add({ ...person, name: role, role }, { type: "system" });
      return gateway.signIn(person);
    }),
  );
  const [viewer = "", operator = ""] = people;
  const { token } = await gateway.addAgent();
  const spawn = async (headers: Record<string, string>, body: unknown = {}) => {
    const response = await fetch(`${gateway.url()}/pty/spawn`, {
      method: "POST",
      headers: { ...headers, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    return [response.status, await response.json()];
  };

  expect((await spawn({}))[0]).toBe(401);
  expect((await spawn({ authorization: `Bearer ${token}` }))[0]).toBe(401);
  expect((await spawn({ cookie: viewer }))[0]).toBe(403);
  expect(await spawn({ cookie: operator }, { cols: 0 })).toEqual([400, { error: expect.stringMatching(/^cols: /) }]);
  expect(await spawn({ cookie: operator }, { shell: "/no/such/shell" })).toEqual([
    400,
    { error: expect.stringContaining("/no/such/shell") },
  ]);
  const [status, terminal] = await spawn({ cookie: operator }, { cols: 100, rows: 30 });
  expect([status, terminal]).toEqual([
    201,
    {
      id: expect.stringMatching(/^pty-/),
      cwd: expect.any(String),
      owner: "user",
      visible: true,
      createdAt: expect.any(Number),
    },
  ]);
  const { events } = await gateway.audit.search({ types: ["terminal.created"] }, { cursor: null, limit: 1 });
  expect(events).toMatchObject([{ actor: { type: "person" }, detail: { owner: "user" } }]);
});

test("G1 every response has its headers, files are cached by kind, and bodies are limited", async () => {
  const gateway = await startTestGateway();
  const get = async (path: string, accept = "*/*") =>
    (await fetch(`${gateway.url()}${path}`, { headers: { accept } })).headers;
  const page = await get("/", "text/html");
  const script = /\/_next\/static\/[^"]+\.js/.exec(await (await fetch(gateway.url())).text())?.[0] ?? "";

  for (const headers of [page, await get("/healthz"), await get("/trpc/gateway.me"), await get("/nowhere")]) {
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("x-frame-options")).toBe("DENY");
    expect(headers.get("referrer-policy")).toBe("no-referrer");
    expect(headers.get("cross-origin-resource-policy")).toBe("same-origin");
  }
  expect(page.get("content-security-policy")).toContain("frame-ancestors 'none'");
  expect(page.get("cache-control")).toBe("no-cache");
  expect((await get(script)).get("cache-control")).toBe("public, max-age=31536000, immutable");
  expect((await get("/trpc/gateway.me")).get("cache-control")).toBe("no-store");
  const large = await fetch(`${gateway.url()}/trpc/policy.save`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify("x".repeat(3 * 1024 * 1024)),
  });
  expect(large.status).toBe(413);
});
