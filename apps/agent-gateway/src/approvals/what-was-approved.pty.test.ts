import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { nextApproval } from "../testing/next-approval.ts";
import { startTestGateway, type TestGateway } from "../testing/start-test-gateway.ts";
import type { TestAgent } from "../testing/test-agent.ts";

const once = { decision: "approve", scope: { type: "once" } } as const;

test("S10 a script that changed after the approval is asked about again", async () => {
  const { gateway, agent, dir } = await scene();
  const operator = await gateway.asPerson("operator");
  writeFileSync(join(dir, "deploy.sh"), "echo one\n");

  const first = nextApproval(gateway);
  const running = run(agent, dir, "bash deploy.sh");
  const asked = await first;
  const shown = await operator.approvals.file.query({ id: asked.id, path: join(dir, "deploy.sh") });
  writeFileSync(join(dir, "deploy.sh"), "echo two\n");
  const second = nextApproval(gateway);
  await operator.approvals.decide.mutate({ id: asked.id, ...once });
  const again = await second;
  await operator.approvals.decide.mutate({ id: again.id, ...once });

  expect(shown).toEqual({ text: "echo one\n", isWhole: true, hasChanged: false });
  expect(again.subject.files[0]?.sha256).not.toBe(asked.subject.files[0]?.sha256);
  expect(await running).toMatchObject({ output: "two" });
});

test("S10 a grant covers exactly the approved content, and so does always", async () => {
  const { gateway, agent, dir } = await scene();
  const admin = await gateway.asPerson("admin");
  const operator = await gateway.asPerson("operator");
  const approve = async (scope: object) => {
    const asked = nextApproval(gateway);
    const running = run(agent, dir, "bash deploy.sh");
    const { id } = await asked;
    await admin.approvals.decide.mutate({ id, decision: "approve", scope: scope as { type: "always" } });
    return running;
  };

  const outputs = [];
  for (const [index, scope] of [{ type: "minutes", minutes: 60 }, { type: "terminal" }, { type: "always" }].entries()) {
    writeFileSync(join(dir, "deploy.sh"), `echo content ${index}\n`);
    const granted = await approve(scope); // asked, since the content is new
    const same = await run(agent, dir, "bash deploy.sh"); // not asked
    outputs.push([granted.output, same.output]);
  }
  writeFileSync(join(dir, "deploy.sh"), "echo last\n");
  const asked = nextApproval(gateway);
  const waiting = run(agent, dir, "bash deploy.sh");
  const { id } = await asked;
  await expect(
    operator.approvals.decide.mutate({ id, decision: "approve", scope: { type: "always" } }),
  ).rejects.toThrow("An admin can always allow this content");
  await operator.approvals.decide.mutate({ id, decision: "deny" });
  await waiting;

  expect(outputs).toEqual([0, 1, 2].map((index) => [`content ${index}`, `content ${index}`]));
});

test("S11 the folder comes from the kernel: neither PWD nor a changed symlink affects what was approved", async () => {
  const { gateway, agent, dir } = await scene();
  const operator = await gateway.asPerson("operator");
  for (const name of ["real", "other"]) mkdirSync(join(dir, name));
  symlinkSync("real", join(dir, "link"));
  await run(agent, dir, `cd ${dir}/link`);
  await agent.call("terminal", { command: "PWD=/srv/harmless" });

  const first = nextApproval(gateway);
  const running = agent.call("terminal", { command: "invented-program" });
  const asked = await first;
  await operator.approvals.decide.mutate({ id: asked.id, decision: "deny" });
  await running;
  const turned = nextApproval(gateway);
  const inLink = run(agent, join(dir, "link"), "invented-program");
  const before = await turned;
  rmSync(join(dir, "link"));
  symlinkSync("other", join(dir, "link"));
  const second = nextApproval(gateway);
  await operator.approvals.decide.mutate({ id: before.id, ...once });
  const after = await second;
  await operator.approvals.decide.mutate({ id: after.id, decision: "deny" });
  await inLink;

  expect([asked.subject.cwd, before.subject.cwd, after.subject.cwd]).toEqual(
    ["real", "real", "other"].map((name) => join(dir, name)),
  );
});

test("S16 a demoted agent's waiting command is judged by its new profile, and the person who approves it is told that nothing runs", async () => {
  const { gateway, agent } = await scene();
  const admin = await gateway.asPerson("admin");
  const asked = nextApproval(gateway);
  const running = agent.call("terminal", { command: "invented-program" });
  const { id } = await asked;

  await admin.agents.update.mutate({ name: "tester", profile: "restricted" });
  await expect(admin.approvals.decide.mutate({ id, ...once })).rejects.toThrow(/^Nothing runs\..*rights have changed/);

  expect(await running).toMatchObject({ isError: true, output: expect.stringContaining("its agent's rights changed") });
  expect(await gateway.approvals.get(id)).toMatchObject({ state: { status: "withdrawn" } });
  const { events } = await admin.audit.search.query({ types: ["command.started"] });
  expect(events).toEqual([]);
});

test("S16 an approval by a person who lost the role counts neither as a vote nor as a grant", async () => {
  const gateway = await startTestGateway({ security: { approval: { approversNeeded: 2 } } });
  const agent = await gateway.connectAgent();
  const admin = await gateway.asPerson("admin");
  const [first, second, third] = [
    await gateway.asPerson("operator"),
    await gateway.asPerson("operator"),
    await gateway.asPerson("operator"),
  ];
  const demote = async (index: number) => {
    const operators = (await gateway.people.list()).filter(({ email }) => email.startsWith("operator"));
    await admin.people.setRole.mutate({ email: operators[index]?.email ?? "", role: "viewer" });
  };
  const asked = nextApproval(gateway);
  const running = agent.call("terminal", { command: "invented-program" });
  const { id } = await asked;

  await first.approvals.decide.mutate({ id, decision: "approve", scope: { type: "minutes", minutes: 60 } });
  await demote(0);
  const afterTwo = await second.approvals.decide.mutate({
    id,
    decision: "approve",
    scope: { type: "minutes", minutes: 60 },
  });
  const afterThree = await third.approvals.decide.mutate({
    id,
    decision: "approve",
    scope: { type: "minutes", minutes: 60 },
  });
  await running;
  await demote(1);
  const askedAgain = nextApproval(gateway);
  const again = agent.call("terminal", { command: "invented-program" });
  const pending = await askedAgain;
  await admin.approvals.decide.mutate({ id: pending.id, decision: "deny" });
  await again;

  expect([afterTwo.state.status, afterThree.state.status]).toEqual(["pending", "approved"]);
  expect(pending.state.status).toBe("pending");
});

async function scene(): Promise<{ gateway: TestGateway; agent: TestAgent; dir: string }> {
  const gateway = await startTestGateway({
    // A team that approves every script of the project before it runs.
    security: { ordinaryWork: { checks: false } },
  });
  const agent = await gateway.connectAgent();
  const dir = realpathSync(mkdtempSync(join(tmpdir(), "belay-approved-")));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return { gateway, agent, dir };
}

async function run(agent: TestAgent, cwd: string, command: string) {
  const reply = await agent.call("terminal", { command, cwd });
  return vi.waitFor(async () => (reply.handle_id === undefined ? reply : agent.finish(reply)));
}
