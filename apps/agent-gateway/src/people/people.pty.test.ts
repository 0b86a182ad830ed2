import { expect, test } from "vitest";
import { startTestGateway, type TestGateway } from "../testing/start-test-gateway.ts";

const ADA = { email: "ada@belay.test", password: "correct horse battery" };
const local = { type: "local" } as const;

test("W8 an invitation creates an account with the chosen role, once, and is recorded", async () => {
  const gateway = await startTestGateway();
  const admin = await gateway.asPerson("admin");

  const { link } = await admin.people.invite.mutate({ role: "operator" });
  const token = new URL(link).hash.slice(1);
  const weak = await claim(gateway, { token, name: "Ada", ...ADA, password: "password123" });
  const [first, second] = await Promise.all([
    claim(gateway, { token, name: "Ada", ...ADA }),
    claim(gateway, { token, name: "Eve", ...ADA, email: "eve@belay.test" }),
  ]);

  expect(weak).toEqual([400, { message: expect.stringContaining("most common") }]);
  expect([first[0], second[0]].sort()).toEqual([200, 403]);
  expect(await admin.people.invitations.query()).toEqual([]);
  const people = await admin.people.list.query();
  expect(people.filter(({ role }) => role === "operator")).toHaveLength(1);
  const { events } = await gateway.audit.search({ types: ["person.invited"] }, { cursor: null, limit: 5 });
  expect(events).toMatchObject([{ actor: { type: "person" }, detail: { role: "operator" } }]);
  expect(JSON.stringify(await gateway.audit.list(50))).not.toContain(token);
});

test("W8 an invitation that was withdrawn, has expired or is for another address creates no account", async () => {
  const gateway = await startTestGateway();
  const admin = await gateway.asPerson("admin");
  const withdrawn = await admin.people.invite.mutate({ role: "viewer" });
  await admin.people.withdrawInvitation.mutate({ id: withdrawn.id });
  const forAda = await admin.people.invite.mutate({ role: "viewer", email: "Ada@belay.test" });
  const past = await gateway.invitations.create({ email: null, role: "viewer", days: -1 }, local);
  const tokenOf = (link: string) => new URL(link).hash.slice(1).split("&", 1)[0] ?? "";

  const answers = [
    await claim(gateway, { token: tokenOf(withdrawn.link), name: "Ada", ...ADA }),
    await claim(gateway, { token: tokenOf(forAda.link), name: "Eve", ...ADA, email: "eve@belay.test" }),
    await claim(gateway, { token: past.token, name: "Ada", ...ADA }),
    await claim(gateway, { token: "bli_made-up", name: "Ada", ...ADA }),
    await claim(gateway, { token: tokenOf(forAda.link), name: "Ada", ...ADA }),
  ];

  expect(answers.map(([status]) => status)).toEqual([403, 403, 403, 403, 200]);
});

test("W8 the last admin can be neither demoted nor removed, even if two admins do it to each other at once", async () => {
  const gateway = await startTestGateway();
  const only = "admin@belay.test";

  await expect(gateway.people.setRole(only, "viewer", local)).rejects.toMatchObject({ code: "last-admin" });
  await expect(gateway.people.remove(only, local)).rejects.toMatchObject({ code: "last-admin" });
  await gateway.people.add({ ...ADA, name: "Ada", role: "admin" }, local);
  const both = await Promise.allSettled([
    gateway.people.setRole(only, "viewer", local),
    gateway.people.remove(ADA.email, local),
  ]);

  expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  expect((await gateway.people.list()).filter(({ role }) => role === "admin")).toHaveLength(1);
});

test("W8 people see and end their own sessions, admins everyone's, and tokens are never shown", async () => {
  const gateway = await startTestGateway();
  const admin = await gateway.asPerson("admin");
  const viewer = await gateway.asPerson("viewer");
  const me = await viewer.gateway.me.query();
  const other = await gateway.asPerson("viewer");

  const [own, ...more] = await viewer.people.sessions.query();
  const seen = await admin.people.sessions.query({ personId: me?.id });
  const foreign = await other.people.sessions.query({ personId: me?.id }).catch((error) => error.data);
  const ended = await other.people.endSession.mutate({ id: own?.id ?? "" }).catch((error) => error.data);
  await admin.people.endSession.mutate({ id: own?.id ?? "" });

  expect(more).toEqual([]);
  expect(own).toEqual({
    id: expect.any(String),
    personId: me?.id,
    createdAt: expect.any(Number),
    expiresAt: expect.any(Number),
    address: "127.0.0.1",
    client: expect.any(String),
    isThisOne: true,
  });
  expect(seen).toEqual([{ ...own, isThisOne: false }]);
  expect([foreign, ended]).toMatchObject([{ reason: "session-not-found" }, { reason: "session-not-found" }]);
  expect(await viewer.gateway.me.query()).toBeNull();
  const { events } = await gateway.audit.search({ types: ["person.session-ended"] }, { cursor: null, limit: 5 });
  expect(events).toMatchObject([{ detail: { sessionId: own?.id, personId: me?.id } }]);
});

test("W8 people change their own password by the same rules, which ends their other sessions", async () => {
  const gateway = await startTestGateway();
  await gateway.people.add({ ...ADA, name: "Ada", role: "viewer" }, local);
  const [cookie, elsewhere] = [await gateway.signIn(ADA), await gateway.signIn(ADA)];
  const change = async (currentPassword: string, newPassword: string) => {
    const response = await fetch(`${gateway.url()}/api/auth/change-password`, {
      method: "POST",
      headers: { cookie, origin: gateway.url(), "content-type": "application/json" },
      body: JSON.stringify({ currentPassword, newPassword, revokeOtherSessions: true }),
    });
    return [response.status, ((await response.json()) as { message?: string }).message];
  };

  const weak = await change(ADA.password, "password123");
  const wrong = await change("not my password", "an entirely new one");
  const changedBefore = await changes(gateway);
  const right = await change(ADA.password, "an entirely new one");

  expect(weak).toEqual([400, expect.stringContaining("most common")]);
  expect(wrong[0]).toBe(400);
  expect([right[0], changedBefore, await changes(gateway)]).toEqual([200, 0, 1]);
  expect(await gateway.signIn({ ...ADA, password: "an entirely new one" })).toContain("belay");
  const me = await fetch(`${gateway.url()}/trpc/gateway.me`, { headers: { cookie: elsewhere } });
  expect(await me.json()).toEqual({ result: { data: null } });
});

test("G5 only the needed routes of better-auth are open", async () => {
  const gateway = await startTestGateway();
  const cookie = await gateway.signIn();
  const post = async (path: string, body: object = {}) => {
    const response = await fetch(`${gateway.url()}/api/auth${path}`, {
      method: "POST",
      headers: { cookie, origin: gateway.url(), "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    return response.status;
  };

  const closed = [
    "/sign-up/email",
    "/update-user",
    "/delete-user",
    "/change-email",
    "/list-sessions",
    "/revoke-session",
  ];
  expect(await Promise.all(closed.map((path) => post(path)))).toEqual(closed.map(() => 404));
  expect(await post("/sign-in/social", { provider: "oidc" })).toBe(404);
  expect(await post("/sign-in/email")).toBe(400);
  expect((await fetch(`${gateway.url()}/api/auth/sign-in/email`, { method: "POST" })).status).toBe(400);
});

test("G2 a failed sign-in is recorded, without the password", async () => {
  const gateway = await startTestGateway();

  await gateway.signIn({ email: "admin@belay.test", password: "hunter2-hunter2" }).catch(() => {});

  const { events } = await gateway.audit.search({ types: ["person.sign-in-failed"] }, { cursor: null, limit: 5 });
  expect(events).toMatchObject([{ detail: { email: "admin@belay.test" } }]);
  expect(JSON.stringify(events)).not.toContain("hunter2");
});

async function claim(gateway: TestGateway, body: object): Promise<[number, unknown]> {
  const response = await fetch(`${gateway.url()}/api/setup`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  return [response.status, await response.json()];
}

async function changes(gateway: TestGateway): Promise<number> {
  const page = await gateway.audit.search({ types: ["person.password-changed"] }, { cursor: null, limit: 5 });
  return page.events.length;
}
