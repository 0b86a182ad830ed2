import { expect, test } from "vitest";
import { nextApproval } from "../testing/next-approval.ts";
import { startTestGateway, type TestGateway } from "../testing/start-test-gateway.ts";

const rule = (id: string, program: string, decision = "allow") => ({ id, decision, program });

test("W4 a draft is checked with line and column, and tried unsaved", async () => {
  const gateway = await startTestGateway();
  const admin = await gateway.asPerson("admin");
  const text = JSON.stringify({ rules: [rule("ours", "invented-tool")] });

  const broken = await admin.policy.checkDraft.query({ text: '{\n  "rewritez": "off"\n}' });
  const tried = await admin.policy.tryDraft.query({ text, command: "invented-tool --check" });
  const spawned = await admin.policy.tryDraft.query({ text: "{}", command: "echo $(pwd)", surface: "spawn" });

  expect(broken.errors).toMatchObject([{ line: 2, column: 3, message: 'Unknown key "rewritez".' }]);
  expect(tried).toMatchObject({ decision: "allow", matches: [{ rule: "ours" }] });
  expect(spawned).toMatchObject({ decision: "deny", matches: [{ rule: "spawn-blocked" }] });
  expect(await admin.policy.check.query({ command: "invented-tool --check" })).toMatchObject({ decision: "ask" });
  await expect(admin.policy.tryDraft.query({ text: "{", command: "pwd" })).rejects.toThrow("cannot be used");
});

test("W4 a draft of any size comes in the body of a request", async () => {
  const gateway = await startTestGateway();
  const cookie = await gateway.signIn();
  const text = JSON.stringify({ safeCommands: Array.from({ length: 5_000 }, (_, index) => `invented-tool-${index}`) });

  const answer = await fetch(`${gateway.url()}/trpc/policy.checkDraft`, {
    method: "POST",
    headers: { cookie, "content-type": "application/json" },
    body: JSON.stringify({ text }),
  });

  expect(await answer.json()).toMatchObject({ result: { data: { errors: [] } } });
});

test("W4 X7 replay counts changed verdicts, and lists commands that a person had refused", async () => {
  const gateway = await startTestGateway();
  const admin = await gateway.asPerson("admin");
  const me = await admin.gateway.me.query();
  const agent = await gateway.connectAgent();
  for (const command of ["pwd", "pwd", "echo one"]) await agent.call("terminal", { command });
  await refuse(gateway, agent, "invented-tool --wipe", admin);

  const rules = [rule("ours", "invented-tool"), rule("no-pwd", "pwd", "deny")];
  const simulated = await admin.policy.simulate.query({ text: JSON.stringify({ rules }) });

  expect(simulated).toMatchObject({
    judged: 4,
    changed: 3,
    changes: [
      { line: "invented-tool --wipe", before: "ask", after: "allow", count: 1, refusedBy: me?.id },
      { line: "pwd", before: "allow", after: "deny", count: 2, refusedBy: null },
    ],
  });
});

test("X7 X12 replay takes into account the wall that a draft gives to an agent", async () => {
  const gateway = await startTestGateway();
  const admin = await gateway.asPerson("admin");
  const agent = await gateway.connectAgent();
  await refuse(gateway, agent, "invented-tool --check", admin);

  const text = JSON.stringify({ isolation: "sandbox", network: { mode: "none" } });
  const simulated = await admin.policy.simulate.query({ text });

  expect(simulated.changes).toMatchObject([{ line: "invented-tool --check", before: "ask", after: "allow" }]);
});

test("W4 a draft is replayed on recorded commands before it is saved", async () => {
  const gateway = await startTestGateway();
  const admin = await gateway.asPerson("admin");
  const agent = await gateway.connectAgent();
  await agent.call("terminal", { command: "echo one" });
  await agent.call("terminal", { command: "pwd" });

  const text = JSON.stringify({ rules: [{ id: "no-pwd", decision: "deny", program: "pwd" }] });
  const simulated = await admin.policy.simulate.query({ text });

  expect(simulated).toMatchObject({ judged: 2, changes: [{ line: "pwd", before: "allow", after: "deny" }] });
  await expect(admin.policy.simulate.query({ text: "{" })).rejects.toThrow("cannot be used");
});

type Admin = Awaited<ReturnType<TestGateway["asPerson"]>>;
type Agent = Awaited<ReturnType<TestGateway["connectAgent"]>>;

async function refuse(gateway: TestGateway, agent: Agent, command: string, admin: Admin): Promise<void> {
  const asked = nextApproval(gateway);
  const reply = agent.call("terminal", { command });
  await admin.approvals.decide.mutate({ id: (await asked).id, decision: "deny" });
  await reply;
}
