import type { TerminalId } from "@belay/protocol";
import { createTRPCClient, httpLink } from "@trpc/client";
import { expect, test } from "vitest";
import { nextApproval } from "../../testing/next-approval.ts";
import { startTestGateway, type TestGateway } from "../../testing/start-test-gateway.ts";
import type { AppRouter } from "./router.ts";

async function asAgent(gateway: TestGateway, name = "tester") {
  const { token } = await gateway.addAgent({ name });
  const headers = { authorization: `Bearer ${token}` };
  return createTRPCClient<AppRouter>({ links: [httpLink({ url: `${gateway.url()}/trpc`, headers })] });
}

test("G1 G2 an agent runs, answers and reads over tRPC, on the same path as everything else", async () => {
  const gateway = await startTestGateway();
  const agent = await asAgent(gateway);

  const ran = await agent.terminals.run.mutate({ command: "read -p 'who? ' name; echo hello $name" });
  const terminalId = ran.status === "ran" ? ran.report.terminalId : ("pty-none" as TerminalId);
  const typed = await agent.terminals.type.mutate({ id: terminalId, text: "world\n" });
  const slice = await agent.terminals.read.query({ id: terminalId });

  expect(ran).toMatchObject({ status: "ran", isDone: false, report: { state: "waiting_input" } });
  expect(typed).toMatchObject({
    status: "ran",
    report: { exitCode: 0 },
    output: expect.stringContaining("hello world"),
  });
  expect(slice.text).toContain("hello world");
  expect((await gateway.audit.list(50)).filter(({ type }) => type === "command.started")).toHaveLength(2);
});

test("A6 C5 denied and waiting commands say so over tRPC, and are polled by id", async () => {
  const gateway = await startTestGateway({ security: { commandDenyPatterns: ["forbidden-program"] } });
  const [agent, operator] = [await asAgent(gateway), await gateway.asPerson("operator")];
  const asked = nextApproval(gateway);
  const waiting = agent.terminals.run.mutate({ command: "some-unknown-program; echo done" });
  const { id, commandId } = await asked;
  const polled = agent.terminals.poll.query({ commandId });
  await operator.approvals.decide.mutate({ id, decision: "approve" });

  expect(await waiting).toMatchObject({ status: "ran", isDone: true, commandId });
  expect((await polled).output).toContain("done");
  expect(await agent.terminals.run.mutate({ command: "forbidden-program" })).toMatchObject({ status: "denied" });
});

test("A2 an agent opens a shell of its choice, and one that does not exist is a clear error", async () => {
  const gateway = await startTestGateway();
  const agent = await asAgent(gateway);

  const terminal = await agent.terminals.spawn.mutate({ name: "mine", shell: "/bin/sh" });
  const ran = await agent.terminals.run.mutate({ id: terminal.id, command: "echo $0" });

  expect(terminal).toMatchObject({ owner: "agent", name: "mine", visible: false });
  expect(ran).toMatchObject({ status: "ran", isDone: true });
  await expect(agent.terminals.spawn.mutate({ shell: "/bin/ksh" })).rejects.toThrow("ksh");
});

test("B2 G5 an agent sees its own terminals and shared ones, and can only read the latter", async () => {
  const gateway = await startTestGateway();
  const [agent, other] = [await asAgent(gateway, "one"), await asAgent(gateway, "two")];
  const operator = await gateway.asPerson("operator");
  const mine = await operator.terminals.spawn.mutate({});
  const theirs = await other.terminals.spawn.mutate({});

  expect(await agent.terminals.list.query()).toEqual([]);
  await expect(agent.terminals.read.query({ id: mine.id })).rejects.toThrow("No terminal");
  await operator.terminals.share.mutate({ id: mine.id, agent: "one" });
  expect(await agent.terminals.list.query()).toMatchObject([{ id: mine.id, owner: "user" }]);
  await expect(agent.terminals.read.query({ id: mine.id })).resolves.toBeDefined();
  await expect(agent.terminals.run.mutate({ id: mine.id, command: "true" })).rejects.toThrow("No terminal");
  await expect(agent.terminals.type.mutate({ id: theirs.id, text: "x\n" })).rejects.toThrow("No terminal");
  await operator.terminals.unshare.mutate({ id: mine.id, agent: "one" });
  await expect(agent.terminals.read.query({ id: mine.id })).rejects.toThrow("No terminal");
});
