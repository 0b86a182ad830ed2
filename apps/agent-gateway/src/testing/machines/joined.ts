import { access } from "node:fs/promises";
import { join } from "node:path";
import type { TerminalInfo } from "@belay/protocol";
import { expect, vi } from "vitest";
import { startTestGateway, type TestGateway } from "../start-test-gateway.ts";
import { TestAgent } from "../test-agent.ts";
import { openLink } from "./test-link.ts";
import { startMachine, type TestMachine } from "./test-machine.ts";

export const BY = { type: "system" } as const;
export const SOON = { timeout: 30_000, interval: 20 };

export async function joinedOverLink(security: object = {}) {
  const gateway = await startTestGateway({ security });
  const link = await openLink(gateway.url());
  const { token } = await gateway.machines.add("build-1", { hours: 1 }, BY);
  const machine = await startMachine({ url: link.url, token });
  await connected(gateway, "build-1");
  return { gateway, link, machine };
}

export async function join1(gateway: TestGateway, name: string): Promise<TestMachine> {
  const { token } = await gateway.machines.add(name, { hours: 1 }, BY);
  const machine = await startMachine({ url: gateway.url(), token });
  await connected(gateway, name);
  return machine;
}

export async function connected(gateway: TestGateway, name: string): Promise<void> {
  await vi.waitFor(async () => {
    const machine = (await gateway.machines.list()).find((candidate) => candidate.name === name);
    expect(machine?.state.status).toBe("connected");
  }, SOON);
}

/** What an agent is told when nothing was done. */
export async function refusal(agent: TestAgent, input: Record<string, unknown>): Promise<string> {
  const { isError, content } = await agent.client.callTool({ name: "terminal", arguments: input });
  expect(isError).toBe(true);
  return content.map((part) => (part.type === "text" ? part.text : "")).join("\n");
}

export async function agentOn(gateway: TestGateway, machines: string): Promise<TestAgent> {
  const name = `on ${machines.replace(",", " ")}`;
  const { token } = await gateway.agents.add({ name, profile: "standard", machines }, BY);
  return TestAgent.connect(gateway.url(), token);
}

export async function onlyTerminal(gateway: TestGateway): Promise<TerminalInfo> {
  const terminals = await gateway.terminals.list();
  expect(terminals).toHaveLength(1);
  return terminals[0] as TerminalInfo;
}

export function collect(gateway: TestGateway, id: TerminalInfo["id"]) {
  const parts: Buffer[] = [];
  const gaps: unknown[] = [];
  gateway.terminals.follow(id, 0, {
    onOutput: ({ bytes }) => void parts.push(Buffer.from(bytes)),
    onGap: (gap) => void gaps.push(gap),
    onEnd: () => {},
  });
  return { gaps, text: () => Buffer.concat(parts).toString("utf8") };
}

export async function exists(machine: TestMachine, name: string): Promise<void> {
  await vi.waitFor(() => access(join(machine.workspace, name)), SOON);
}
