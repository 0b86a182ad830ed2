import type { AuditEvent, AuditEventType, TerminalId } from "@belay/protocol";
import { expect, test, vi } from "vitest";
import { startTestGateway, type TestGateway } from "../../testing/start-test-gateway.ts";
import { appRouter } from "./router.ts";

type Admin = Awaited<ReturnType<TestGateway["asPerson"]>>;

interface Act {
  path: string;
  act: (admin: Admin, given: Given) => Promise<unknown>;
  type: AuditEventType;
  /** The row's values before and after, or its subject. */
  detail?: Record<string, unknown>;
}

interface Given {
  userTerminal: TerminalId;
  agentTerminal: TerminalId;
  approvalId: `apr-${string}`;
  proposalId: string;
  firstVersion: number;
}

const password = "correct horse battery";
const email = "bob@belay.test";
const RULE = { id: "allow-it", decision: "allow" as const, program: "invented-tool" };

/** Ordered so that each finds what it needs. */
const ACTS: Act[] = [
  {
    path: "agents.add",
    act: (a) => a.agents.add.mutate({ name: "new" }),
    type: "agent.added",
    detail: { name: "new" },
  },
  {
    path: "agents.update",
    act: (a) => a.agents.update.mutate({ name: "new", maxTerminals: 3 }),
    type: "agent.changed",
    detail: {
      before: expect.objectContaining({ maxTerminals: null }),
      after: expect.objectContaining({ maxTerminals: 3 }),
    },
  },
  {
    path: "agents.configure",
    act: (a) => a.agents.configure.mutate({ name: "new", settings: {} }),
    type: "agent.changed",
    detail: { before: expect.anything(), after: expect.anything() },
  },
  {
    path: "agents.renewToken",
    act: (a) => a.agents.renewToken.mutate({ name: "new" }),
    type: "agent.token-renewed",
    detail: { name: "new" },
  },
  {
    path: "agents.reset",
    act: (a) => a.agents.reset.mutate({ name: "new" }),
    type: "agent.reset",
    detail: { name: "new" },
  },
  {
    path: "agents.revoke",
    act: (a) => a.agents.revoke.mutate({ name: "new" }),
    type: "agent.revoked",
    detail: { name: "new" },
  },
  {
    path: "approvals.startPreview",
    act: (a, { approvalId }) => a.approvals.startPreview.mutate({ id: approvalId }),
    type: "approval.preview-asked",
  },
  {
    path: "approvals.decide",
    act: (a, { approvalId }) => a.approvals.decide.mutate({ id: approvalId, decision: "deny", message: "no" }),
    type: "approval.answered",
  },
  {
    path: "audit.noteExport",
    act: (a) => a.audit.noteExport.mutate({ format: "csv" }),
    type: "audit.exported",
    detail: { format: "csv" },
  },
  {
    path: "gateway.freeze",
    act: (a) => a.gateway.freeze.mutate({ scope: "*" }),
    type: "agents.frozen",
    detail: { scope: "*", before: "running", after: "frozen" },
  },
  {
    path: "gateway.release",
    act: (a) => a.gateway.release.mutate({ scope: "*" }),
    type: "agents.released",
    detail: { scope: "*", before: "frozen", after: "running" },
  },
  {
    path: "machines.add",
    act: (a) => a.machines.add.mutate({ name: "build-1" }),
    type: "machine.added",
    detail: { name: "build-1" },
  },
  {
    path: "machines.revoke",
    act: (a) => a.machines.revoke.mutate({ name: "build-1" }),
    type: "machine.revoked",
    detail: { name: "build-1" },
  },
  {
    path: "people.add",
    act: (a) => a.people.add.mutate({ email, name: "Bob", role: "viewer", password }),
    type: "person.added",
    detail: { email, role: "viewer" },
  },
  {
    path: "people.setRole",
    act: (a) => a.people.setRole.mutate({ email, role: "operator" }),
    type: "person.role-changed",
    detail: { email, before: "viewer", after: "operator" },
  },
  {
    path: "people.setPassword",
    act: (a) => a.people.setPassword.mutate({ email, password: `${password} 2` }),
    type: "person.password-changed",
    detail: { email },
  },
  {
    path: "people.remove",
    act: (a) => a.people.remove.mutate({ email }),
    type: "person.removed",
    detail: { before: expect.objectContaining({ email }), after: null },
  },
  {
    path: "people.invite",
    act: (a) => a.people.invite.mutate({ role: "admin" }),
    type: "person.invited",
    detail: { role: "admin" },
  },
  {
    path: "people.withdrawInvitation",
    act: async (a) => a.people.withdrawInvitation.mutate({ id: (await a.people.invitations.query())[0]?.id ?? "" }),
    type: "person.invitation-withdrawn",
  },
  {
    path: "policy.save",
    act: async (a) =>
      a.policy.save.mutate({ text: '{ "rewrites": "off" }', basedOn: (await a.policy.get.query()).version }),
    type: "policy.changed",
    detail: { before: expect.any(String), after: expect.any(String) },
  },
  {
    path: "policy.rollBack",
    act: (a, { firstVersion }) => a.policy.rollBack.mutate({ seq: firstVersion }),
    type: "policy.changed",
    detail: { before: expect.any(String), after: expect.any(String) },
  },
  {
    path: "policy.settleProposal",
    act: (a, { proposalId }) => a.policy.settleProposal.mutate({ id: proposalId, decision: "reject" }),
    type: "policy.proposal-settled",
    detail: { decision: "reject" },
  },
  {
    path: "policy.acceptRules",
    act: (a) => a.policy.acceptRules.mutate({ rules: [RULE] }),
    type: "policy.changed",
    detail: { note: "Suggested from earlier answers." },
  },
  {
    path: "policy.dismissRules",
    act: (a) => a.policy.dismissRules.mutate({ rules: [RULE] }),
    type: "policy.proposal-settled",
    detail: { decision: "reject", rules: ["allow-it"] },
  },
  {
    path: "recordings.noteLook",
    act: (a, { agentTerminal }) => a.recordings.noteLook.mutate({ id: agentTerminal }),
    type: "recording.opened",
  },
  {
    path: "shares.create",
    act: (a, { agentTerminal }) => a.shares.create.mutate({ terminalId: agentTerminal }),
    type: "share.created",
  },
  {
    path: "shares.revoke",
    act: async (a, { agentTerminal }) =>
      a.shares.revoke.mutate({ id: (await a.shares.list.query({ terminalId: agentTerminal }))[0]?.id ?? "" }),
    type: "share.revoked",
  },
  {
    path: "terminals.spawn",
    act: (a) => a.terminals.spawn.mutate({}),
    type: "terminal.created",
    detail: { owner: "user" },
  },
  {
    path: "terminals.share",
    act: (a, { userTerminal }) => a.terminals.share.mutate({ id: userTerminal, agent: "tester" }),
    type: "terminal.shared",
  },
  {
    path: "terminals.unshare",
    act: (a, { userTerminal }) => a.terminals.unshare.mutate({ id: userTerminal, agent: "tester" }),
    type: "terminal.unshared",
  },
  {
    path: "terminals.borrow",
    act: (a, { agentTerminal }) => a.terminals.borrow.mutate({ id: agentTerminal }),
    type: "terminal.borrowed",
  },
  {
    path: "terminals.handBack",
    act: (a, { agentTerminal }) => a.terminals.handBack.mutate({ id: agentTerminal }),
    type: "terminal.handed-back",
  },
  {
    path: "terminals.promote",
    act: (a, { agentTerminal }) => a.terminals.promote.mutate({ id: agentTerminal }),
    type: "terminal.promoted",
  },
  {
    path: "terminals.kill",
    act: (a, { agentTerminal }) => a.terminals.kill.mutate({ id: agentTerminal }),
    type: "terminal.killed",
  },
  {
    path: "trash.restore",
    act: (a) => a.trash.restore.mutate({ id: "not-there" }),
    type: "trash.restored",
    detail: { id: "not-there" },
  },
  {
    path: "trash.empty",
    act: (a) => a.trash.empty.mutate({}),
    type: "trash.emptied",
    detail: { before: { entries: 0 } },
  },
  {
    path: "webhooks.add",
    act: (a) => a.webhooks.add.mutate({ url: "https://hooks.example/x" }),
    type: "webhook.added",
    detail: { host: "hooks.example" },
  },
  {
    path: "webhooks.remove",
    act: async (a) => a.webhooks.remove.mutate({ id: (await a.webhooks.list.query())[0]?.id ?? "" }),
    type: "webhook.removed",
    detail: { host: "hooks.example" },
  },
];

/** Procedures without an administrative effect, or tested elsewhere. */
const OTHERS: Record<string, string> = {
  "audit.prune": "retention.test.ts",
  "audit.redact": "audit/redact/redactions.test.ts",
  "recordings.redact": "audit/redact/redactions.test.ts",
  "audit.verifyAgainst": "changes nothing",
  "changes.preview": "previews/previews.pty.test.ts",
  "changes.undo": "changes/changes.pty.test.ts",
  "gateway.retire": "store/postgres/many-gateways.pty.test.ts",
  "policy.settleEdit": "policy/edited-file.pty.test.ts",
  "people.endSession": "people.pty.test.ts",
  "terminals.lendAnswer": "needs a program that asks; its record is tested there",
  "terminals.openPort": "ports/ports.pty.test.ts",
  "terminals.run": "a command: opened, judged, started, closed",
  "terminals.type": "a command too",
  "webhooks.test": "changes nothing",
};

test("G2 every change that a person can make is listed here", () => {
  const procedures = Object.entries(appRouter._def.procedures as unknown as Record<string, { _def: { type: string } }>);
  const mutations = procedures.filter(([, { _def }]) => _def.type === "mutation").map(([path]) => path);

  expect([...ACTS.map(({ path }) => path), ...Object.keys(OTHERS)].sort()).toEqual(mutations.sort());
});

test("G2 every administrative act is recorded, with actor, before and after", {
  timeout: 120_000,
}, async () => {
  const gateway = await startTestGateway({ security: {} });
  const given = await prepare(gateway);
  const admin = await gateway.asPerson("admin");
  const me = await admin.gateway.me.query();

  for (const { path, act, type, detail } of ACTS) {
    const [last] = await gateway.audit.list(1);
    await act(admin, given);
    const rows = (await gateway.audit.list(20)).filter((row) => row.seq > (last?.seq ?? 0));
    const own = rows.find((row: AuditEvent) => row.type === type);
    expect(own, `${path}: ${rows.map((row) => row.type).join(", ")}`).toMatchObject({
      actor: { type: "person", id: me?.id },
      ...(detail ? { detail } : {}),
    });
  }
  expect(await gateway.audit.verify()).toMatchObject({ ok: true });
});

async function prepare(gateway: TestGateway): Promise<Given> {
  const agent = await gateway.connectAgent();
  const { terminal_id } = await agent.call("terminal", { command: "echo ready" });
  const operator = await gateway.asPerson("operator");
  const userTerminal = (await operator.terminals.spawn.mutate({})).id;
  void agent.call("terminal", { command: "invented-program", background: true });
  const asked = await vi.waitFor(async () => {
    const [first] = await gateway.approvals.list({ state: "pending" });
    if (!first) throw new Error("Nothing waits yet.");
    return first;
  });
  const rules = await gateway.policyChanges.suggest(asked);
  const proposing = { type: "local" } as const;
  const proposal = await gateway.policyChanges.propose(
    asked,
    rules.flatMap(({ rule }) => rule ?? []),
    proposing,
  );
  const versions = await operator.policy.versions.query();
  return {
    userTerminal,
    agentTerminal: terminal_id as TerminalId,
    approvalId: asked.id,
    proposalId: proposal.id,
    firstVersion: versions.at(-1)?.seq ?? 0,
  };
}
