import { tmpdir } from "node:os";
import type { TerminalId } from "@belay/protocol";
import { expect, test } from "vitest";
import { nextApproval } from "../../../testing/next-approval.ts";
import { startTestGateway } from "../../../testing/start-test-gateway.ts";
import type { TestAgent } from "../../../testing/test-agent.ts";

const cwd = tmpdir();
/** Prints at once, and keeps running. */
const SERVER = ["tail", "-n", "1", "-f", "/etc/shells"];

test("B1 B2 B6 B7 start in the background, read, promote; what is promoted cannot be killed", async () => {
  const gateway = await startTestGateway();
  const agent = await gateway.connectAgent({ toolset: "pool" });

  const spawned = await ask(agent, "spawn_background_terminal", { cwd, command: SERVER });
  const { id } = spawned.json;
  const listed = await ask(agent, "list_terminals", {});
  const history = await untilPrinted(agent, id);
  const promoted = await ask(agent, "promote_terminal", { terminalId: id });
  const blocked = await ask(agent, "kill_terminal", { terminalId: id });

  const terminal = { id, cwd, owner: "agent", visible: false, createdAt: expect.any(Number), command: SERVER };
  expect(spawned.json).toEqual(terminal);
  expect(id).toMatch(/^pty-/);
  expect(listed.json).toEqual([terminal]);
  expect(history).toContain("/");
  expect(promoted.json).toEqual({ ...terminal, owner: "user", visible: true });
  expect(blocked).toMatchObject({ isError: true, text: "Cannot kill visible or user-owned terminals" });
  expect(await gateway.terminals.get(id as TerminalId)).toMatchObject({ state: { status: "running" } });
});

test("B3 a terminal that has printed nothing has an empty history, one that printed much the end of it", async () => {
  const gateway = await startTestGateway();
  const agent = await gateway.connectAgent({ toolset: "pool" });

  const silent = (await ask(agent, "spawn_background_terminal", { cwd, command: ["sleep", "600"] })).json;
  const loud = (await ask(agent, "spawn_background_terminal", { cwd, command: ["seq", "1", "40000"] })).json;
  const empty = await ask(agent, "read_terminal", { terminalId: silent.id });
  let history = await untilPrinted(agent, loud.id);
  while (!history.endsWith("40000\r\n")) history = await untilPrinted(agent, loud.id);

  expect(empty.json).toEqual({ terminalId: silent.id, history: "" });
  expect(history.length).toBeLessThanOrEqual(64 * 1024);
  expect(history).toMatch(/^\d+\r\n/);
});

test("B7 killing ends the terminal, and succeeds for one that does not exist", async () => {
  const gateway = await startTestGateway();
  const [agent, other] = await Promise.all([
    gateway.connectAgent({ toolset: "pool" }),
    gateway.connectAgent({ name: "other", toolset: "pool" }),
  ]);
  const { id } = (await ask(agent, "spawn_background_terminal", { cwd, command: SERVER })).json;

  const others = await ask(other, "kill_terminal", { terminalId: id });
  const between = await gateway.terminals.get(id as TerminalId);
  const killed = await ask(agent, "kill_terminal", { terminalId: id });
  const again = await ask(agent, "kill_terminal", { terminalId: id });

  const gone = { terminated: true, id };
  expect([others.json, killed.json, again.json]).toEqual([gone, gone, gone]);
  expect(between.state.status).toBe("running");
  expect((await ask(agent, "list_terminals", {})).json).toEqual([]);
  expect((await ask(other, "read_terminal", { terminalId: id })).isError).toBe(true);
});

test("B4 B5 blocked programs, too many at once and too many in a minute each have their own error", async () => {
  const gateway = await startTestGateway({ security: { limits: { spawnsPerMinute: 3, spawnedTerminals: 2 } } });
  const agent = await gateway.connectAgent({ toolset: "pool" });
  const spawn = (command: string[]) => ask(agent, "spawn_background_terminal", { cwd, command });

  const blocked = await spawn(["chmod", "600", "some-file"]);
  const first = await spawn(SERVER);
  await spawn(SERVER);
  const full = await spawn(SERVER);
  await ask(agent, "kill_terminal", { terminalId: first.json.id });
  await spawn(SERVER);
  await ask(agent, "kill_terminal", { terminalId: (await ask(agent, "list_terminals", {})).json[0].id });
  const tooFast = await spawn(SERVER);

  expect(blocked.isError).toBe(true);
  expect(blocked.text).toMatch(/^Command blocked for security reasons \(rule .+\)/);
  expect(full.text).toMatch(/^Maximum concurrent agent terminals reached \(2\)/);
  expect(tooFast.text).toMatch(/^Spawn rate limit exceeded \(max 3\/minute\)/);
});

test("B1 A4 a start that needs approval is polled by its id, and runs once approved", async () => {
  const gateway = await startTestGateway();
  const agent = await gateway.connectAgent({ toolset: "pool" });
  const operator = await gateway.asPerson("operator");
  const asked = nextApproval(gateway);
  const reply = ask(agent, "spawn_background_terminal", { cwd, command: ["python3", "-c", "input()"] });
  const approval = await asked;
  const terminalId = (await gateway.commands.find(await gateway.agents.find("tester"), approval.commandId)).terminalId;

  const pending = await ask(agent, "read_terminal", { terminalId });
  await operator.approvals.decide.mutate({ id: approval.id, decision: "approve" });
  const started = await reply;
  const read = await ask(agent, "read_terminal", { terminalId });

  expect(pending.json).toMatchObject({ terminalId, history: "", state: "waiting_approval", approvalId: approval.id });
  expect(started.json).toMatchObject({ id: terminalId, owner: "agent" });
  expect(read.json).toEqual({ terminalId, history: expect.any(String) });
});

test("B2 an agent can read a person's terminal once it is shared, and only read it", async () => {
  const gateway = await startTestGateway();
  const agent = await gateway.connectAgent({ toolset: "pool" });
  const operator = await gateway.asPerson("operator");
  const { id } = await operator.terminals.spawn.mutate({});

  const before = await ask(agent, "list_terminals", {});
  await operator.terminals.share.mutate({ id, agent: "tester" });
  const shared = await ask(agent, "list_terminals", {});
  const read = await ask(agent, "read_terminal", { terminalId: id });
  const killed = await ask(agent, "kill_terminal", { terminalId: id });
  const promoted = await ask(agent, "promote_terminal", { terminalId: id });
  await operator.terminals.unshare.mutate({ id, agent: "tester" });
  const after = await ask(agent, "read_terminal", { terminalId: id });

  expect(before.json).toEqual([]);
  expect(shared.json).toMatchObject([{ id, owner: "user", visible: true }]);
  expect(read.json).toEqual({ terminalId: id, history: expect.any(String) });
  expect([killed.isError, promoted.isError, after.isError]).toEqual([true, true, true]);
});

interface Asked {
  isError: boolean;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: the text can be any JSON, and is compared whole
  json: any;
}

/** The reply as the text that agents of this toolset read. */
async function ask(agent: TestAgent, name: string, args: Record<string, unknown>): Promise<Asked> {
  const { content, isError } = await agent.client.callTool({ name, arguments: args });
  const [first] = content as { text: string }[];
  const text = first?.text ?? "";
  return { isError: isError === true, text, json: /^[[{]/.test(text) ? JSON.parse(text) : null };
}

async function untilPrinted(agent: TestAgent, terminalId: string): Promise<string> {
  for (;;) {
    const { history } = (await ask(agent, "read_terminal", { terminalId })).json;
    if (history !== "") return history;
  }
}
