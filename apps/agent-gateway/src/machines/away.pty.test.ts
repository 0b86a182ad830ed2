import { access, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { agentOn, BY, connected, exists, joinedOverLink, onlyTerminal, SOON } from "../testing/machines/joined.ts";

test("G7 C10 a reset reaches a machine that is away once it is back, and its shell is not used before", async () => {
  const { gateway, machine, link } = await joinedOverLink();
  const agent = await agentOn(gateway, "build-1");
  const ticking = "while [ ! -e stop ]; do sleep 0.05; done; touch went-on";
  await agent.call("terminal", { command: `export KEPT=old; (${ticking})`, timeout: 100 });
  const before = await onlyTerminal(gateway);
  link.cut();
  await vi.waitFor(async () => expect(await onlyTerminal(gateway)).toMatchObject({ isAway: true }), SOON);
  const [{ agentId }] = [before];
  const name = (await gateway.agents.list()).find(({ id }) => id === agentId)?.name ?? "";

  expect(await gateway.agents.reset(name, BY)).toMatchObject({ endedTerminals: 0, endLater: ["build-1"] });
  expect(await onlyTerminal(gateway)).toMatchObject({ isAway: true, state: { status: "closing" } });
  // Again, as an impatient person does.
  expect(await gateway.agents.reset(name, BY)).toMatchObject({ endLater: ["build-1"] });

  link.heal();
  await connected(gateway, "build-1");
  await vi.waitFor(async () => expect(await gateway.terminals.list()).toEqual([]), SOON);
  // What ran in it is gone, and the next command has a new shell.
  await writeFile(join(machine.workspace, "stop"), "");
  const after = await agent.call("terminal", { command: "echo is-$KEPT.; touch after" });
  expect(after).toMatchObject({ exit_code: 0, output: "is-." });
  expect((await onlyTerminal(gateway)).id).not.toBe(before.id);
  await exists(machine, "after");
  await expect(access(join(machine.workspace, "went-on"))).rejects.toThrow();
  const closed = (await gateway.audit.list(50)).find(({ type }) => type === "terminal.closed");
  expect(closed).toMatchObject({ terminalId: before.id, detail: { reason: "agent-reset" } });
});

test("G7 C10 a revoked agent's terminal on a machine that is away stays, for people to look at", async () => {
  const { gateway, link } = await joinedOverLink();
  const agent = await agentOn(gateway, "build-1");
  await agent.call("terminal", { command: "echo seen" });
  link.cut();
  await vi.waitFor(async () => expect(await onlyTerminal(gateway)).toMatchObject({ isAway: true }), SOON);

  await gateway.agents.revoke("on build-1", BY);
  link.heal();
  await connected(gateway, "build-1");

  await vi.waitFor(async () => expect((await onlyTerminal(gateway)).isAway).toBeUndefined(), SOON);
  expect(await onlyTerminal(gateway)).toMatchObject({ state: { status: "running" } });
});
