import type { ApprovalSubject } from "@belay/protocol";
import { expect, test } from "vitest";
import { isSameSubject } from "../store/tables/approvals.ts";
import { nextApproval } from "../testing/next-approval.ts";
import { startTestGateway } from "../testing/start-test-gateway.ts";
import { PATIENTLY, submitAct } from "../testing/submit-act.ts";

const UNKNOWN = "true && some-unknown-program; echo done";

test("W3 an approval covers exactly what was approved: a change in any field asks again", () => {
  const subject: ApprovalSubject = {
    text: "make deploy",
    terminalId: "pty-a",
    cwd: "/srv",
    agentId: "agt-a",
    policyVersion: "v1",
    surface: "execute",
    argv: null,
    env: { A: "1", B: "2" },
    stdin: null,
    shell: "/bin/bash",
    runs: ["make deploy"],
    asked: ["unknown-program: make"],
    profile: "trusted",
    folder: "1:2",
    files: [{ path: "/srv/Makefile", sha256: "aa", bytes: 10, isCode: true }],
    client: null,
  };
  const changes: { [Field in keyof ApprovalSubject]: ApprovalSubject[Field] } = {
    text: "make deploy ",
    terminalId: "pty-b",
    cwd: "/srv/",
    agentId: "agt-b",
    policyVersion: "v2",
    surface: "input",
    argv: ["make"],
    env: { A: "1", B: "3" },
    stdin: "yes",
    shell: "/bin/sh",
    runs: ["rm -rf build"],
    asked: ["deletes: rm"],
    profile: "standard",
    folder: "1:3",
    files: [{ path: "/srv/Makefile", sha256: "bb", bytes: 10, isCode: true }],
    client: { client: "claude", session: "one" },
  };

  expect(isSameSubject(subject, { ...subject, env: { B: "2", A: "1" } })).toBe(true);
  for (const [field, value] of Object.entries(changes))
    expect(isSameSubject(subject, { ...subject, [field]: value }), field).toBe(false);
});

test("W3 for fifteen minutes the same command is allowed, but not with another variable or in another folder", async () => {
  const gateway = await startTestGateway();
  const operator = await gateway.asPerson("operator");
  const agent = await gateway.addAgent();
  const { terminal } = await gateway.agentTerminals.borrow({ agent, id: null });
  const run = (extra: object = {}) =>
    submitAct(gateway, agent, { type: "run", terminalId: terminal.id, line: UNKNOWN, wait: PATIENTLY, ...extra });
  const asked = nextApproval(gateway);
  const first = run();
  const scope = { type: "minutes", minutes: 15 } as const;
  await operator.approvals.decide.mutate({ id: (await asked).id, decision: "approve", scope });
  await first;

  expect(await run()).toMatchObject({ status: "ran" });
  for (const extra of [{ env: { PATH: "/elsewhere" } }, { cwd: "/" }]) {
    const askedAgain = nextApproval(gateway);
    const view = run(extra);
    await operator.approvals.decide.mutate({ id: (await askedAgain).id, decision: "deny" });
    expect(await view).toMatchObject({ status: "refused" });
  }
});

test("W3 an approval for a terminal ends when the command's meaning there changes", async () => {
  const gateway = await startTestGateway();
  const operator = await gateway.asPerson("operator");
  const agent = await gateway.addAgent();
  const { terminal } = await gateway.agentTerminals.borrow({ agent, id: null });
  const run = (line: string) =>
    submitAct(gateway, agent, { type: "run", terminalId: terminal.id, line, wait: PATIENTLY });
  const answer = async (line: string, decision: "approve" | "deny") => {
    const asked = nextApproval(gateway);
    const view = run(line);
    const { id } = await asked;
    await operator.approvals.decide.mutate(
      decision === "approve" ? { id, decision, scope: { type: "terminal" } } : { id, decision },
    );
    return view;
  };

  expect(await answer("some-unknown-program", "approve")).toMatchObject({ status: "ran" });
  expect(await run("some-unknown-program")).toMatchObject({ status: "ran" });
  await answer("some-unknown-program() { other-unknown-program; }", "approve");
  expect(await answer("some-unknown-program", "deny")).toMatchObject({ status: "refused" });
});

test("W3 an approval does not carry over to the next policy", async () => {
  const gateway = await startTestGateway({ security: {} });
  const [operator, admin] = [await gateway.asPerson("operator"), await gateway.asPerson("admin")];
  const agent = await gateway.addAgent();
  const { terminal } = await gateway.agentTerminals.borrow({ agent, id: null });
  const asked = nextApproval(gateway);
  const view = submitAct(gateway, agent, { type: "run", terminalId: terminal.id, line: UNKNOWN, wait: PATIENTLY });
  const { id } = await asked;

  const { version } = await admin.policy.get.query();
  const text = JSON.stringify({ commandDenyPatterns: ["some-unknown-program"] });
  await admin.policy.save.mutate({ text, basedOn: version, note: "no more of these" });
  await expect(operator.approvals.decide.mutate({ id, decision: "approve" })).rejects.toThrow(
    /^Nothing runs\. The policy/,
  );

  expect(await view).toMatchObject({
    status: "refused",
    answer: { decision: "deny", reason: "withdrawn", message: expect.stringContaining("some-unknown-program") },
  });
});

test("W3 an admin's always becomes a rule; an operator's is a proposal that an admin accepts", async () => {
  const gateway = await startTestGateway();
  const [operator, admin] = [await gateway.asPerson("operator"), await gateway.asPerson("admin")];
  const agent = await gateway.addAgent();
  const { terminal } = await gateway.agentTerminals.borrow({ agent, id: null });
  const run = (line: string) =>
    submitAct(gateway, agent, { type: "run", terminalId: terminal.id, line, wait: PATIENTLY });
  const answerAlways = async (line: string, person: typeof admin) => {
    const asked = nextApproval(gateway);
    const view = run(line);
    const { id } = await asked;
    await person.approvals.decide.mutate({ id, decision: "approve", scope: { type: "always" } });
    return view;
  };

  await answerAlways("some-builder check", admin);
  await answerAlways("other-builder check", operator);
  const [proposal] = await admin.policy.proposals.query();

  expect(await run("some-builder check")).toMatchObject({ status: "ran" });
  expect((await admin.policy.versions.query())[0]).toMatchObject({ author: { type: "person" } });
  expect(proposal).toMatchObject({ rules: [{ program: "other-builder", decision: "allow" }] });
  expect((await admin.policy.check.query({ command: "other-builder check" })).decision).toBe("ask");
  const settle = operator.policy.settleProposal.mutate({ id: proposal?.id ?? "", decision: "accept" });
  await expect(settle).rejects.toThrow("needs the role admin");
  await admin.policy.settleProposal.mutate({ id: proposal?.id ?? "", decision: "accept" });
  expect(await run("other-builder check")).toMatchObject({ status: "ran" });
  expect(await admin.policy.proposals.query()).toEqual([]);
});

test("W3 no rule is made for a command that could do anything", async () => {
  const gateway = await startTestGateway();
  const admin = await gateway.asPerson("admin");
  const agent = await gateway.addAgent();
  const { terminal } = await gateway.agentTerminals.borrow({ agent, id: null });
  const asked = nextApproval(gateway);
  const line = "python3 -c 'import subprocess'";
  const view = submitAct(gateway, agent, { type: "run", terminalId: terminal.id, line, wait: PATIENTLY });
  const { id } = await asked;

  const always = admin.approvals.decide.mutate({ id, decision: "approve", scope: { type: "always" } });
  await expect(always).rejects.toThrow('"python3" can do anything');
  await admin.approvals.decide.mutate({ id, decision: "approve" });
  expect(await view).toMatchObject({ status: "ran" });
});

test("C5 the policy says who may answer: an operator cannot approve what a rule reserves for admins", async () => {
  const rule = { id: "releases", decision: "ask", program: "some-publisher", approvers: ["admin"] };
  const gateway = await startTestGateway({ security: { rules: [rule] } });
  const [operator, admin] = [await gateway.asPerson("operator"), await gateway.asPerson("admin")];
  const agent = await gateway.addAgent();
  const { terminal } = await gateway.agentTerminals.borrow({ agent, id: null });
  const asked = nextApproval(gateway);
  const view = submitAct(gateway, agent, {
    type: "run",
    terminalId: terminal.id,
    line: "some-publisher",
    wait: PATIENTLY,
  });
  const { id } = await asked;

  await expect(operator.approvals.decide.mutate({ id, decision: "approve" })).rejects.toThrow(
    "requires the role admin",
  );
  await admin.approvals.decide.mutate({ id, decision: "approve" });
  expect(await view).toMatchObject({ status: "ran" });
});
