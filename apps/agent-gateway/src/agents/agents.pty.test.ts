import { expect, test } from "vitest";
import { nextApproval } from "../testing/next-approval.ts";
import { startTestGateway } from "../testing/start-test-gateway.ts";
import { TestAgent } from "../testing/test-agent.ts";

test("G5 an expired token is refused", async () => {
  const gateway = await startTestGateway();
  const admin = await gateway.asPerson("admin");
  const { token } = await admin.agents.add.mutate({ name: "soon gone", expiresAt: Date.now() + 600_000 });
  const agent = await TestAgent.connect(gateway.url(), token);
  expect(await agent.call("terminal", { command: "echo hello" })).toMatchObject({ output: "hello" });

  await admin.agents.update.mutate({ name: "soon gone", expiresAt: Date.now() - 1 });

  await expect(agent.call("terminal", { command: "echo hello" })).rejects.toThrow();
  await agent.close();
});

test("G5 a revoked agent is disconnected at once, and its waiting commands never run", async () => {
  const gateway = await startTestGateway();
  const admin = await gateway.asPerson("admin");
  const agent = await gateway.connectAgent({ name: "leaving" });
  const asked = nextApproval(gateway);
  const waiting = agent.call("terminal", { command: "some-unknown-program" }).catch(() => null);
  const { id } = await asked;

  await admin.agents.revoke.mutate({ name: "leaving" });

  expect(await gateway.approvals.get(id)).toMatchObject({ state: { status: "withdrawn" } });
  await expect(agent.call("terminal", { command: "true" })).rejects.toThrow();
  await waiting;
  const types = (await gateway.audit.list(50)).map(({ type }) => type);
  expect(types).toContain("agent.revoked");
  expect(types).not.toContain("command.started");
});

test("C10 a reset ends an agent's terminals and leaves those that a person took over", async () => {
  const gateway = await startTestGateway();
  const operator = await gateway.asPerson("operator");
  const agent = await gateway.connectAgent({ name: "stuck" });
  const taken = await agent.call("terminal", { command: "echo mine; tail -f /dev/null", background: true });
  await agent.call("terminal", { command: "echo other; tail -f /dev/null", background: true });
  await operator.terminals.promote.mutate({ id: taken.terminal_id as `pty-${string}` });

  const reset = await operator.agents.reset.mutate({ name: "stuck" });

  expect(reset).toMatchObject({ endedTerminals: 1 });
  expect((await gateway.terminals.list()).map(({ id }) => id)).toEqual([taken.terminal_id]);
  expect(await agent.call("terminal", { command: "echo back" })).toMatchObject({ output: "back" });
});

test("C4 G5 a missing isolation or profile is an error, never a silent fallback", async () => {
  const gateway = await startTestGateway();
  const admin = await gateway.asPerson("admin");

  await expect(admin.agents.add.mutate({ name: "a", isolation: "container" })).rejects.toThrow("does not offer");
  await expect(admin.agents.add.mutate({ name: "a", profile: "no-such" })).rejects.toThrow('no profile "no-such"');
  expect(await admin.agents.list.query()).toEqual([]);
});

test("C4 a policy that wants an isolation that does not exist is not saved", async () => {
  const gateway = await startTestGateway({ security: {} });
  const admin = await gateway.asPerson("admin");

  const { version } = await admin.policy.get.query();
  const saved = admin.policy.save.mutate({ text: JSON.stringify({ isolation: "container" }), basedOn: version });

  await expect(saved).rejects.toThrow("Containers need an image");
});

test("B5 an agent cannot exceed its limit of terminals", async () => {
  const gateway = await startTestGateway();
  const admin = await gateway.asPerson("admin");
  const { token } = await admin.agents.add.mutate({ name: "small", maxTerminals: 1 });
  const agent = await TestAgent.connect(gateway.url(), token);
  await agent.call("terminal", { command: "tail -f /dev/null", background: true });

  const refused = await agent.client.callTool({ name: "terminal", arguments: { command: "echo hello" } });

  expect(JSON.stringify(refused.content)).toContain("which is all it may have");
  await agent.close();
});

test("C9 an agent's own settings are checked, stored, and recorded with before and after", async () => {
  const gateway = await startTestGateway();
  const admin = await gateway.asPerson("admin");
  await admin.agents.add.mutate({ name: "tuned" });

  const bad = admin.agents.configure.mutate({ name: "tuned", settings: { unified: { idelMs: 5 } } as never });
  await expect(bad).rejects.toThrow("idelMs");
  await admin.agents.configure.mutate({ name: "tuned", settings: { unified: { idleMs: 5_000 } } });

  const agent = await gateway.agents.find("tuned");
  expect(gateway.agents.toolDefaults(agent).unified).toMatchObject({ idleMs: 5_000, timeoutMs: 60_000 });
  const [changed] = (await gateway.audit.list(10)).filter(({ type }) => type === "agent.changed");
  expect(changed?.detail).toMatchObject({
    before: { toolSettings: "{}" },
    after: { toolSettings: '{"unified":{"idleMs":5000}}' },
  });
});
