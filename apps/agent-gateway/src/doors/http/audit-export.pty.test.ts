import { expect, test } from "vitest";
import { startTestGateway } from "../../testing/start-test-gateway.ts";

test("G2 an admin exports the record with the filters of the search, and the export is recorded", async () => {
  const gateway = await startTestGateway();
  const agent = await gateway.connectAgent();
  await agent.call("terminal", { command: "echo first" });
  await agent.call("terminal", { command: "echo second" });
  const cookie = await gateway.signIn();
  const get = (query: string) => fetch(`${gateway.url()}/api/audit/export?${query}`, { headers: { cookie } });

  const lines = await get("types=command.opened,command.closed");
  const table = await get("format=csv&types=command.opened&text=second");

  expect(lines.headers.get("content-disposition")).toMatch(
    /^attachment; filename="belay-audit-\d+-\d{8}T\d{6}\.jsonl"$/,
  );
  const rows = (await lines.text()).trimEnd().split("\n");
  expect(rows.map((row) => JSON.parse(row).type)).toEqual([
    "command.opened",
    "command.closed",
    "command.opened",
    "command.closed",
  ]);
  expect(table.headers.get("content-type")).toBe("text/csv; charset=utf-8; header=present");
  expect((await table.text()).split("\r\n")).toMatchObject(
    [/^seq,/, /echo second/, ""].map((part) => expect.stringMatching(part)),
  );
  const { events } = await gateway.audit.search({ types: ["audit.exported"] }, { cursor: null, limit: 9 });
  expect(events).toMatchObject([
    { actor: { type: "person" }, detail: { format: "csv", types: ["command.opened"], text: "second" } },
    { actor: { type: "person" }, detail: { format: "jsonl", types: ["command.opened", "command.closed"] } },
  ]);
});

test("G5 only admins can export, and an invalid filter is named", async () => {
  const gateway = await startTestGateway();
  const agent = await gateway.addAgent();
  const operator = { email: "op@belay.test", password: "correct horse battery" };
  await gateway.people.add({ ...operator, name: "op", role: "operator" }, { type: "system" });
  const get = async (query: string, headers: Record<string, string>) => {
    const response = await fetch(`${gateway.url()}/api/audit/export?${query}`, { headers });
    return [response.status, await response.json()];
  };
  const admin = { cookie: await gateway.signIn() };

  expect(await get("", {})).toEqual([401, { message: "Sign in first." }]);
  expect(await get("", { authorization: `Bearer ${agent.token}` })).toEqual([401, { message: "Sign in first." }]);
  expect(await get("", { cookie: await gateway.signIn(operator) })).toEqual([
    403,
    { message: "This needs the role admin. Ask an admin for it." },
  ]);
  expect((await get("from=yesterday", admin))[1]).toEqual({ message: expect.stringMatching(/^from: /) });
  expect((await get("types=nonsense", admin))[1]).toEqual({ message: expect.stringMatching(/^types/) });
  expect((await get("color=red", admin))[1]).toEqual({ message: expect.stringContaining("color") });
  const { events } = await gateway.audit.search({ types: ["audit.exported"] }, { cursor: null, limit: 9 });
  expect(events).toEqual([]);
});
