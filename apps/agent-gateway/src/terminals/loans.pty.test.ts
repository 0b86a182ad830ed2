import type { TerminalId } from "@belay/protocol";
import { expect, test } from "vitest";
import { nextApproval } from "../testing/next-approval.ts";
import { startTestGateway } from "../testing/start-test-gateway.ts";

test("W13 a person takes over temporarily and hands back; meanwhile the agent can only read", async () => {
  const gateway = await startTestGateway();
  const agent = await gateway.connectAgent();
  const operator = await gateway.asPerson("operator");
  const asked = await agent.call("terminal", { command: "read -p 'Go on? ' x; echo \"said $x\"" });
  const id = asked.terminal_id as TerminalId;

  const borrowed = await operator.terminals.borrow.mutate({ id });
  const refused = await agent.call("terminal", { handle_id: asked.handle_id, input: "no\n" });
  await gateway.terminals.write(id, "yes\n");
  await expect.poll(async () => (await gateway.terminals.get(id)).activity.kind).toBe("idle");
  const returned = await operator.terminals.handBack.mutate({ id });
  const read = await agent.call("terminal", { handle_id: asked.handle_id });

  expect(refused.isError).toBe(true);
  expect(String(read.output)).toMatch(/said yes$/);
  expect([borrowed.owner, borrowed.isBorrowed]).toEqual(["user", true]);
  expect([returned.owner, returned.isBorrowed]).toEqual(["agent", undefined]);
  const types = (await gateway.audit.list(50)).map(({ type }) => type);
  expect(types).toEqual(expect.arrayContaining(["terminal.borrowed", "terminal.handed-back"]));
});

test("W13 variables are unknown after a person has typed", async () => {
  const gateway = await startTestGateway();
  const agent = await gateway.connectAgent();
  const operator = await gateway.asPerson("operator");
  await agent.call("terminal", { command: "TOOL=echo" });
  const before = await agent.call("terminal", { command: "$TOOL hello" });
  const [terminal] = await operator.terminals.list.query();
  const id = terminal?.id as TerminalId;

  await operator.terminals.borrow.mutate({ id });
  const elsewhere = await agent.call("terminal", { command: "echo elsewhere" });
  await operator.terminals.handBack.mutate({ id });
  await gateway.terminals.kill(elsewhere.terminal_id as TerminalId, { reason: "killed" });
  const asked = nextApproval(gateway);
  const after = agent.call("terminal", { command: "$TOOL hello" });

  expect(before).toMatchObject({ output: "hello" });
  expect(elsewhere.terminal_id).not.toBe(id);
  expect(await asked).toMatchObject({ subject: { text: "$TOOL hello", terminalId: id } });
  await operator.approvals.decide.mutate({ id: (await asked).id, decision: "deny" });
  await after;
});

test("W13 a program's prompt is answered once without taking over, and recorded", async () => {
  const gateway = await startTestGateway();
  const agent = await gateway.connectAgent();
  const operator = await gateway.asPerson("operator");
  const asked = await agent.call("terminal", { command: "read -p 'Go on? [y/N] ' x; echo \"said $x\"" });
  const id = asked.terminal_id as TerminalId;

  await expect(operator.terminals.lendAnswer.mutate({ id, answer: "y", isSecret: true })).rejects.toThrow(
    "asks for a password",
  );
  await operator.terminals.lendAnswer.mutate({ id, answer: "y", isSecret: false });
  const done = await agent.call("terminal", { handle_id: asked.handle_id, wait_ms: 20_000 });

  expect(String(done.output)).toMatch(/said y$/);
  const [lent] = (await gateway.audit.list(50)).filter(({ type }) => type === "terminal.answer-lent");
  expect(lent).toMatchObject({ detail: { answer: "y" } });
});
