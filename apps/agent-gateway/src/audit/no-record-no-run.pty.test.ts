import { join } from "node:path";
import Database from "better-sqlite3";
import { expect, test } from "vitest";
import { startTestGateway, type TestGateway } from "../testing/start-test-gateway.ts";

test("G2 if the record cannot be written, nothing runs and the agent is told", async () => {
  const gateway = await startTestGateway();
  const agent = await gateway.connectAgent();
  await agent.call("terminal", { command: "echo before" });
  const [before] = await gateway.terminals.list();

  const repair = breakRecord(gateway, "command.opened");
  const refused = await agent.client.callTool({ name: "terminal", arguments: { command: "echo never" } });
  const [during] = await gateway.terminals.list();
  repair();
  const after = await agent.call("terminal", { command: "echo after" });

  expect(refused.isError).toBe(true);
  expect(JSON.stringify(refused.content)).toContain(
    "The record could not be written (disk full), so nothing was done.",
  );
  expect(during?.position).toBe(before?.position);
  expect(after).toMatchObject({ output: "after", exit_code: 0 });
  expect(await gateway.audit.verify()).toMatchObject({ ok: true });
});

test("G2 without the row before the first byte, the command is not typed", async () => {
  const gateway = await startTestGateway();
  const agent = await gateway.connectAgent();
  await agent.call("terminal", { command: "echo before" });
  const [before] = await gateway.terminals.list();

  const repair = breakRecord(gateway, "command.started");
  const refused = await agent.client.callTool({ name: "terminal", arguments: { command: "echo never" } });
  repair();

  expect(refused.isError).toBe(true);
  expect((await gateway.terminals.list())[0]?.position).toBe(before?.position);
});

test("G2 while the record cannot be written the gateway is not ready, and tells signed-in people why", async () => {
  const gateway = await startTestGateway();
  const cookie = await gateway.signIn();
  const ready = async (headers: Record<string, string> = {}) => {
    const response = await fetch(`${gateway.url()}/readyz`, { headers });
    return [response.status, await response.json()];
  };

  const repair = breakRecord(gateway, "%");
  await gateway.freezer.freeze("*", { type: "local" }).catch(() => {});
  const broken = [await ready(), await ready({ cookie })];
  repair();
  await gateway.freezer.release("*", { type: "local" });

  const problem = expect.stringContaining("(disk full), so nothing was done");
  expect(broken).toEqual([
    [503, { status: "degraded", problems: [{ part: "record" }] }],
    [503, { status: "degraded", problems: [{ part: "record", problem }] }],
  ]);
  expect(await ready()).toEqual([200, { status: "ready", problems: [] }]);
});

/** Makes rows of these types impossible to write, from outside the gateway, as a full disk would. */
function breakRecord(gateway: TestGateway, type: string): () => void {
  const other = new Database(join(gateway.dataDir, "belay.db"));
  other.exec(
    `CREATE TRIGGER broken BEFORE INSERT ON audit_events WHEN NEW.type LIKE '${type}' BEGIN SELECT RAISE(ABORT, 'disk full'); END`,
  );
  return () => {
    other.exec("DROP TRIGGER broken");
    other.close();
  };
}
