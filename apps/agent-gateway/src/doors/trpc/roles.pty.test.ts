import { expect, test } from "vitest";
import type { Role } from "../../people/person.ts";
import { startTestGateway, type TestGateway } from "../../testing/start-test-gateway.ts";
import { readRoleTable } from "./role-table.ts";
import { appRouter } from "./router.ts";

type Caller = "anonymous" | "agent" | "viewer" | "operator" | "admin";
const CALLERS: Caller[] = ["anonymous", "agent", "viewer", "operator", "admin"];

const everyone = CALLERS;
const viewer: Caller[] = ["viewer", "operator", "admin"];
const operator: Caller[] = ["operator", "admin"];
const admin: Caller[] = ["admin"];
const agent: Caller[] = ["agent"];

/** Who may call what. A procedure that is missing here fails the first test. */
const MAY_CALL: Record<string, Caller[]> = {
  "agents.list": viewer,
  "agents.options": viewer,
  "agents.activity": viewer,
  "agents.add": admin,
  "agents.update": admin,
  "agents.configure": admin,
  "agents.renewToken": admin,
  "agents.reset": operator,
  "agents.revoke": admin,
  "machines.list": viewer,
  "machines.add": admin,
  "machines.revoke": admin,
  "approvals.list": viewer,
  "approvals.get": viewer,
  "approvals.refuseOnly": viewer,
  "approvals.outcome": viewer,
  "approvals.judgeEdit": viewer,
  "approvals.suggestRules": viewer,
  "approvals.file": operator,
  "approvals.preview": operator,
  "approvals.startPreview": operator,
  "approvals.previewDiff": operator,
  "approvals.decide": operator,
  "audit.search": operator,
  "audit.kinds": operator,
  "audit.row": operator,
  "audit.charts": operator,
  "audit.verifying": operator,
  "audit.verify": operator,
  "audit.verifyAgainst": operator,
  "audit.noteExport": admin,
  "audit.prune": admin,
  "audit.redact": admin,
  "clients.sessions": viewer,
  "clients.commands": viewer,
  "changes.of": viewer,
  "changes.recent": viewer,
  "changes.diff": viewer,
  "changes.picture": viewer,
  "changes.status": viewer,
  "changes.plan": viewer,
  "changes.preview": operator,
  "changes.undo": operator,
  "events.all": viewer,
  "gateway.me": everyone,
  "gateway.about": viewer,
  "gateway.doctor": viewer,
  "gateway.health": viewer,
  "gateway.installation": admin,
  "gateway.whileAway": viewer,
  "gateway.frozen": viewer,
  "gateway.freeze": operator,
  "gateway.release": operator,
  "gateway.onRecord": viewer,
  "gateway.retire": admin,
  "people.signInOptions": everyone,
  "people.provider": admin,
  "people.names": viewer,
  "people.list": admin,
  "people.add": admin,
  "people.remove": admin,
  "people.setRole": admin,
  "people.setPassword": admin,
  "people.invite": admin,
  "people.invitations": admin,
  "people.withdrawInvitation": admin,
  "people.sessions": viewer,
  "people.endSession": viewer,
  "policy.check": viewer,
  "policy.tryDraft": admin,
  "policy.checkDraft": admin,
  "policy.schema": viewer,
  "policy.get": viewer,
  "policy.waitingEdit": viewer,
  "policy.settleEdit": admin,
  "policy.save": admin,
  "policy.versions": viewer,
  "policy.diff": viewer,
  "policy.rollBack": admin,
  "policy.simulate": admin,
  "policy.fewerQuestions": admin,
  "policy.acceptRules": admin,
  "policy.dismissRules": admin,
  "policy.proposals": viewer,
  "policy.settleProposal": admin,
  "recordings.list": viewer,
  "recordings.page": viewer,
  "recordings.about": viewer,
  "recordings.segment": viewer,
  "recordings.search": viewer,
  "recordings.redact": admin,
  "recordings.noteLook": viewer,
  "roles.table": admin,
  "shares.create": operator,
  "shares.list": viewer,
  "shares.revoke": operator,
  "terminals.commands": viewer,
  "terminals.miniatures": viewer,
  "terminals.watchers": viewer,
  "terminals.ports": viewer,
  "terminals.openPort": operator,
  "terminals.lendAnswer": operator,
  "terminals.passwordAsker": operator,
  "terminals.list": [...agent, ...viewer],
  "terminals.get": [...agent, ...viewer],
  "terminals.read": [...agent, ...viewer],
  "terminals.spawn": [...agent, ...operator],
  "terminals.run": agent,
  "terminals.type": agent,
  "terminals.poll": agent,
  "terminals.share": operator,
  "terminals.unshare": operator,
  "terminals.promote": operator,
  "terminals.borrow": operator,
  "terminals.handBack": operator,
  "terminals.kill": operator,
  "trash.list": viewer,
  "trash.size": viewer,
  "trash.restore": operator,
  "trash.empty": admin,
  "webhooks.list": admin,
  "webhooks.names": viewer,
  "webhooks.passOn": viewer,
  "webhooks.add": admin,
  "webhooks.test": admin,
  "webhooks.remove": admin,
};

const procedures = Object.entries(appRouter._def.procedures as unknown as Record<string, { _def: { type: string } }>);

test("G5 every procedure is in the table of roles", () => {
  expect(procedures.map(([path]) => path).sort()).toEqual(Object.keys(MAY_CALL).sort());
});

test("W8 the table of roles is made from what the procedures enforce, and leaves none out", () => {
  const table = readRoleTable(appRouter._def.procedures);

  expect(table.map(({ role }) => role)).toEqual(table.map(({ role }) => role).toSorted(byRank));
  expect(table).toContainEqual({ what: "Answer approvals and propose rules", role: "operator" });
  const { "approvals.decide": decide, ...others } = appRouter._def.procedures as unknown as Record<string, object>;
  expect(() => readRoleTable(others)).toThrow('"Answer approvals and propose rules" needs one role');
  expect(() => readRoleTable({ ...others, "approvals.decide": decide, "new.one": decide })).toThrow(
    "role-table.ts has no line for new.one.",
  );
});

const byRank = (one: Role, other: Role) => CALLERS.indexOf(one) - CALLERS.indexOf(other);

test("G5 each procedure accepts only the callers in the table", { timeout: 120_000 }, async () => {
  const gateway = await startTestGateway();
  const headersOf = await signInAll(gateway);

  const letIn: Record<string, Caller[]> = {};
  for (const [path, { _def }] of procedures) {
    letIn[path] = [];
    for (const caller of CALLERS) {
      if (await isLetIn(gateway, path, _def.type, headersOf[caller])) letIn[path].push(caller);
    }
  }

  expect(letIn).toEqual(MAY_CALL);
});

async function signInAll(gateway: TestGateway): Promise<Record<Caller, Record<string, string>>> {
  const { token } = await gateway.addAgent();
  const as = async (role: "viewer" | "operator") => {
    const person = { email: `${role}@belay.test`, password: "correct horse battery" };
    await gateway.people.add({ ...person, name: role, role }, { type: "system" });
    return { cookie: await gateway.signIn(person) };
  };
  return {
    anonymous: {},
    agent: { authorization: `Bearer ${token}` },
    viewer: await as("viewer"),
    operator: await as("operator"),
    admin: { cookie: await gateway.signIn() },
  };
}

/** Calls with an invalid input, so that nothing happens: access is checked before the input. */
async function isLetIn(gateway: TestGateway, path: string, type: string, headers: Record<string, string>) {
  const url = `${gateway.url()}/trpc/${path}`;
  const response =
    type === "mutation"
      ? await fetch(url, { method: "POST", headers: { ...headers, "content-type": "application/json" }, body: '"?"' })
      : await fetch(`${url}?input=${encodeURIComponent('"?"')}`, { headers });
  // A stream opens for everyone, and its first event is what a call would have returned.
  const told = type === "subscription" ? await firstError(response) : await response.json();
  const body = told as { error?: { message: string; data: { code: string } } };
  const code = body.error?.data.code;
  if (code === "UNAUTHORIZED") return false;
  if (code === "FORBIDDEN") {
    expect(body.error?.message).toMatch(/^This needs the role /);
    return false;
  }
  expect([undefined, "BAD_REQUEST"], `${path}: ${body.error?.message}`).toContain(code);
  return true;
}

async function firstError(response: Response): Promise<unknown> {
  const text = await response.text();
  return { error: JSON.parse(/^event: serialized-error\ndata: (.*)$/m.exec(text)?.[1] ?? "null") };
}
