import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { nextApproval } from "../testing/next-approval.ts";
import { startTestGateway, type TestGateway } from "../testing/start-test-gateway.ts";

// Unknown to any policy, so it always asks; `true` makes it harmless.
const RISKY = "true && some-unknown-program; echo done";

test("A4 W3 an approved command runs, and its agent gets the result", async () => {
  const gateway = await startTestGateway();
  const agent = await gateway.connectAgent();
  const operator = await gateway.asPerson("operator");

  const asked = nextApproval(gateway);
  const reply = agent.call("terminal", { command: RISKY });
  const approval = await asked;
  await operator.approvals.decide.mutate({ id: approval.id, decision: "approve" });

  expect(await reply).toMatchObject({ state: "completed", exit_code: 0, isError: false });
  expect((await reply).output).toMatch(/done$/);
  expect(await commandEvents(gateway)).toEqual([
    "command.opened",
    "command.judged",
    "command.asked",
    "command.answered",
    "command.started",
    "command.closed",
  ]);
});

test("C5 an approval may wait longer than Node's timers support", async () => {
  const gateway = await startTestGateway({ security: { approval: { timeouts: { unknownMs: 60 * 86_400_000 } } } });
  const agent = await gateway.connectAgent();
  const operator = await gateway.asPerson("operator");

  const asked = nextApproval(gateway);
  const reply = agent.call("terminal", { command: RISKY });
  await operator.approvals.decide.mutate({ id: (await asked).id, decision: "approve" });

  expect(await reply).toMatchObject({ state: "completed" });
});

test("W3 a refused command never runs, and its agent reads why", async () => {
  const gateway = await startTestGateway();
  const agent = await gateway.connectAgent();
  const operator = await gateway.asPerson("operator");

  const asked = nextApproval(gateway);
  const reply = agent.call("terminal", { command: RISKY });
  await operator.approvals.decide.mutate({ id: (await asked).id, decision: "deny", message: "Use the staging copy." });

  expect(await reply).toMatchObject({
    output: expect.stringMatching(/^Not run: .+ refused it: Use the staging copy\./),
    security_blocked: true,
    isError: true,
  });
  expect(await commandEvents(gateway)).not.toContain("command.started");
});

test("W3 an edited command runs instead, and both texts are recorded", async () => {
  const gateway = await startTestGateway();
  const agent = await gateway.connectAgent();
  const operator = await gateway.asPerson("operator");

  const asked = nextApproval(gateway);
  const reply = agent.call("terminal", { command: RISKY });
  await operator.approvals.decide.mutate({ id: (await asked).id, decision: "approve", command: "echo edited" });

  expect(await reply).toMatchObject({ output: "edited", exit_code: 0 });
  const record = JSON.stringify(await gateway.audit.list(20));
  expect(record).toContain("some-unknown-program");
  expect(record).toContain("echo edited");
});

test("W3 an edit that the policy forbids is refused at once, and the question stays open", async () => {
  const gateway = await startTestGateway({ security: { commandDenyPatterns: ["forbidden-program"] } });
  const agent = await gateway.connectAgent();
  const operator = await gateway.asPerson("operator");

  const asked = nextApproval(gateway);
  const reply = agent.call("terminal", { command: RISKY });
  const { id } = await asked;
  const edit = (command: string) => operator.approvals.decide.mutate({ id, decision: "approve", command });

  await expect(edit("forbidden-program")).rejects.toThrow(/^The edited command cannot run: .*forbidden-program/);
  await expect(edit("echo 'unfinished")).rejects.toThrow("a quote, a bracket or a block is still open");
  expect(await operator.approvals.judgeEdit.query({ id, command: "forbidden-program" })).toMatchObject({
    verdict: { decision: "deny" },
  });
  expect(await operator.approvals.get.query({ id })).toMatchObject({ state: { status: "pending" } });
  expect(await commandEvents(gateway)).toEqual(["command.opened", "command.judged", "command.asked"]);
  await edit("echo instead");
  expect(await reply).toMatchObject({ output: "instead", exit_code: 0 });
});

test("W3 an edit must be within the rights of the person who makes it", async () => {
  const rule = {
    id: "careful",
    program: "careful-program",
    decision: "ask",
    reason: "Ask an admin.",
    approvers: ["admin"],
  };
  const gateway = await startTestGateway({ security: { rules: [rule] } });
  const agent = await gateway.connectAgent();
  const operator = await gateway.asPerson("operator");

  const asked = nextApproval(gateway);
  const reply = agent.call("terminal", { command: RISKY });
  const { id } = await asked;

  await expect(
    operator.approvals.decide.mutate({ id, decision: "approve", command: "careful-program" }),
  ).rejects.toThrow("The policy requires the role admin for it.");
  await operator.approvals.decide.mutate({ id, decision: "deny" });
  await reply;
});

test("W3 two people at once: one wins, the other is told who", async () => {
  const gateway = await startTestGateway();
  const agent = await gateway.connectAgent();
  const [first, second] = await Promise.all([gateway.asPerson("operator"), gateway.asPerson("admin")]);

  const asked = nextApproval(gateway);
  const reply = agent.call("terminal", { command: RISKY });
  const { id } = await asked;
  const answers = await Promise.allSettled([
    first.approvals.decide.mutate({ id, decision: "deny", message: "no" }),
    second.approvals.decide.mutate({ id, decision: "approve" }),
  ]);

  const lost = answers.filter((answer) => answer.status === "rejected");
  expect(lost).toHaveLength(1);
  expect(String(lost[0]?.reason.message)).toMatch(/^This was already (denied|approved) by /);
  await reply;
});

test("W3 approved for this terminal: the same text does not ask again there, another text does", async () => {
  const gateway = await startTestGateway();
  const agent = await gateway.connectAgent();
  const operator = await gateway.asPerson("operator");
  const asked = nextApproval(gateway);
  const first = agent.call("terminal", { command: RISKY });
  await operator.approvals.decide.mutate({ id: (await asked).id, decision: "approve", scope: { type: "terminal" } });
  await first;

  const again = await agent.call("terminal", { command: RISKY });
  const other = nextApproval(gateway);
  const otherReply = agent.call("terminal", { command: `${RISKY} # changed` });

  expect(again).toMatchObject({ exit_code: 0 });
  expect(await other).toMatchObject({ subject: { text: `${RISKY} # changed` } });
  await operator.approvals.decide.mutate({ id: (await other).id, decision: "deny" });
  await otherReply;
});

test("C5 an approval that expires denies", async () => {
  const gateway = await startTestGateway({ security: { approval: { timeouts: { unknownMs: 50, dangerousMs: 50 } } } });
  const agent = await gateway.connectAgent();

  const reply = await agent.call("terminal", { command: RISKY });

  expect(reply).toMatchObject({ output: expect.stringMatching(/^Not run: no one answered in time\./i), isError: true });
});

test("W3 two approvers: one yes is not enough, and the same person does not count twice", async () => {
  const gateway = await startTestGateway({ security: { approval: { approversNeeded: 2 } } });
  const agent = await gateway.connectAgent();
  const [first, second] = await Promise.all([gateway.asPerson("operator"), gateway.asPerson("operator")]);
  const asked = nextApproval(gateway);
  const reply = agent.call("terminal", { command: RISKY });
  const { id } = await asked;

  const afterOne = await first.approvals.decide.mutate({ id, decision: "approve" });
  const twice = first.approvals.decide.mutate({ id, decision: "approve" });

  expect(afterOne.state.status).toBe("pending");
  await expect(twice).rejects.toThrow("You have already approved this");
  await second.approvals.decide.mutate({ id, decision: "approve" });
  expect(await reply).toMatchObject({ exit_code: 0 });
});

test("G5 viewers cannot decide", async () => {
  const gateway = await startTestGateway();
  const agent = await gateway.connectAgent();
  const [viewer, operator] = await Promise.all([gateway.asPerson("viewer"), gateway.asPerson("operator")]);
  const asked = nextApproval(gateway);
  const reply = agent.call("terminal", { command: RISKY });
  const { id } = await asked;

  expect(await viewer.approvals.list.query({ state: "pending" })).toHaveLength(1);
  await expect(viewer.approvals.decide.mutate({ id, decision: "approve" })).rejects.toThrow(
    "This needs the role operator",
  );
  await operator.approvals.decide.mutate({ id, decision: "deny" });
  await reply;
});

test("W9 frozen agents run nothing; their questions can be neither approved nor expire until the release", async () => {
  const gateway = await startTestGateway({
    security: { approval: { timeouts: { unknownMs: 1500, dangerousMs: 1500 } } },
  });
  const agent = await gateway.connectAgent();
  const operator = await gateway.asPerson("operator");
  const asked = nextApproval(gateway);
  const waiting = agent.call("terminal", { command: RISKY });
  const { id, expiresAt } = await asked;

  await operator.gateway.freeze.mutate({ scope: "*" });
  await expect(operator.approvals.decide.mutate({ id, decision: "approve" })).rejects.toThrow("Its agent is frozen");
  const fresh = await agent.call("terminal", { command: "echo hello" });
  await expect.poll(() => Date.now(), { timeout: 5_000 }).toBeGreaterThan((expiresAt ?? 0) + 200);
  expect(await operator.approvals.get.query({ id })).toMatchObject({ state: { status: "pending" } });
  await operator.gateway.release.mutate({ scope: "*" });
  const released = await operator.approvals.get.query({ id });
  const after = await agent.call("terminal", { command: "echo hello" });

  expect(released.expiresAt).toBeGreaterThan(Date.now() - 1500);
  expect(released.expiresAt).toBeGreaterThan(expiresAt ?? 0);
  expect(await waiting).toMatchObject({
    isError: true,
    output: expect.stringMatching(/^Not run: no one answered in time\./i),
  });
  expect(fresh).toMatchObject({ isError: true, output: expect.stringContaining("has frozen this agent") });
  expect(after).toMatchObject({ exit_code: 0, output: "hello" });
  const types = (await gateway.audit.list(50)).map(({ type }) => type);
  expect(types).toEqual(expect.arrayContaining(["agents.frozen", "agents.released"]));
});

test("D9 an approved removal goes to the trash, and can be restored", async () => {
  const workspace = await mkdtemp(join(tmpdir(), "belay-work-"));
  const gateway = await startTestGateway({ env: { BELAY_WORKSPACE: workspace } });
  const agent = await gateway.connectAgent();
  const operator = await gateway.asPerson("operator");
  await mkdir(join(workspace, "build"));
  await writeFile(join(workspace, "build", "kept.txt"), "still here");

  const asked = nextApproval(gateway);
  const reply = agent.call("terminal", { command: "ls | xargs rm -rf" });
  await operator.approvals.decide.mutate({ id: (await asked).id, decision: "approve" });
  const removed = await reply;
  const [item, ...others] = await operator.trash.list.query();
  const outcome = await operator.trash.restore.mutate({ id: item?.id ?? "" });

  expect(removed).toMatchObject({ exit_code: 0 });
  expect(item).toMatchObject({ path: join(workspace, "build"), kind: "directory" });
  expect(others).toEqual([]);
  expect(outcome).toEqual({ status: "restored", path: join(workspace, "build") });
  expect(await readFile(join(workspace, "build", "kept.txt"), "utf8")).toBe("still here");
  await rm(workspace, { recursive: true });
});

test("D1 an agent withdraws a waiting command, and keeps its shell", async () => {
  const gateway = await startTestGateway();
  const agent = await gateway.connectAgent();
  const asked = nextApproval(gateway);
  const reply = agent.call("terminal", { command: RISKY });
  const { commandId, id, subject } = await asked;

  await agent.call("terminal", { handle_id: commandId, kill: true });

  expect(await reply).toMatchObject({ isError: true, output: "Not run: Its agent withdrew it." });
  expect(await gateway.approvals.get(id)).toMatchObject({ state: { status: "withdrawn" } });
  expect(await gateway.terminals.list()).toMatchObject([{ id: subject.terminalId, state: { status: "running" } }]);
});

async function commandEvents(gateway: TestGateway): Promise<string[]> {
  const events = (await gateway.audit.list(50)).map(({ type }) => type).reverse();
  return events.filter((type) => type.startsWith("command."));
}
