import { mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { CommandId } from "@belay/protocol";
import { expect, onTestFinished, test, vi } from "vitest";
import { withControl } from "../doors/control/client.ts";
import {
  clusterEnv,
  consoleAt,
  onServers,
  startTestCluster,
  type TestCluster,
} from "../testing/cluster/test-cluster.ts";
import { BY, connected, join1 } from "../testing/machines/joined.ts";
import { startTestGateway, type TestGateway } from "../testing/start-test-gateway.ts";
import { TestAgent } from "../testing/test-agent.ts";

const SOON = { timeout: 30_000, interval: 50 };

// What is kept at one gateway, and people and agents reach through another one.
onServers((servers) => {
  async function two(more: Record<string, string> = {}) {
    const env = { ...(await clusterEnv(servers())), ...more };
    const cluster = await startTestCluster(env);
    const [one, two] = cluster.gateways as [TestGateway, TestGateway];
    const [atOne, atTwo] = cluster.consoles as [TestCluster["consoles"][0], TestCluster["consoles"][0]];
    await vi.waitFor(() => expect([one.cluster.peers().length, two.cluster.peers().length]).toEqual([1, 1]), SOON);
    return { env, one, two, atOne, atTwo, cookie: cluster.cookie };
  }

  test("G7 C10 an agent that is reset at one gateway loses its terminals at the other", async () => {
    const { one, atTwo } = await two();
    const { token } = await one.addAgent({ name: "wanderer" });
    const agent = await connect(one, token);
    await agent.call("terminal", { command: "echo first" });
    expect((await one.terminals.list()).length).toBeGreaterThan(0);

    expect(await atTwo.agents.reset.mutate({ name: "wanderer" })).toMatchObject({ endedTerminals: 1 });

    expect((await one.terminals.list()).filter(({ agentId }) => agentId !== null)).toEqual([]);
  });

  test("G7 X9 what a command changed at one gateway is shown, and undone, at the other", async () => {
    const workspace = await realpath(await mkdtemp(join(tmpdir(), "belay-workspace-")));
    onTestFinished(() => rm(workspace, { recursive: true, force: true }));
    await writeFile(join(workspace, "a.txt"), "one\n");
    const { one, atTwo } = await two({ BELAY_WORKSPACE: workspace });
    await one.histories.mark(workspace, one.followed.options(workspace));
    const agent = await one.connectAgent();
    await agent.call("terminal", { command: "sed -i s/one/1/ a.txt" });
    await one.changes.settle();
    const commandId = (await one.changeViews.recent(1))[0]?.commandId as CommandId;

    expect(await atTwo.changes.of.query({ commandId })).toMatchObject({ summary: "changed 1 file, +1 −1" });
    const { fingerprint } = await atTwo.changes.plan.query({ commandId });
    await atTwo.changes.undo.mutate({ commandId, fingerprint });

    expect(await readFile(join(workspace, "a.txt"), "utf8")).toBe("one\n");
  });

  test("G7 a recording of one gateway is downloaded from the other", async () => {
    const { one, two: other, atOne, cookie } = await two();
    const { id } = await atOne.terminals.spawn.mutate({});
    const viewer = await one.connectViewer({ cookie });
    const { channel } = await viewer.attach(id);
    viewer.send({ type: "input", channel, bytes: Buffer.from("echo $((20 + 22))\r") });
    await viewer.expectText("42");
    await atOne.terminals.kill.mutate({ id });

    await vi.waitFor(async () => {
      const response = await fetch(`${other.url()}/api/recordings/${id}.txt`, { headers: { cookie } });
      expect([response.status, await response.text()]).toEqual([200, expect.stringContaining("42")]);
    }, SOON);
    const stranger = await fetch(`${other.url()}/api/recordings/${id}.txt`);
    expect(stranger.status).toBe(401);
  });

  test("G7 W6 a search finds what was printed at all gateways", async () => {
    const { one, two: other, atTwo } = await two();
    for (const [gateway, word] of [
      [one, "here"],
      [other, "there"],
    ] as const) {
      const agent = await gateway.connectAgent({ name: `agent-${word}` });
      await agent.call("terminal", { command: `printf 'said-%s\\n' ${word}` });
    }

    const found = await vi.waitFor(async () => {
      const all = await atTwo.recordings.search.query({ text: "said-" });
      expect(all.found).toHaveLength(2);
      return all;
    }, SOON);

    const lines = found.found.flatMap(({ matches }) => matches.map(({ line }) => line));
    expect(lines).toEqual(expect.arrayContaining(["said-here", "said-there"]));
    expect(found).toMatchObject({ searched: 2, total: 2, nextCursor: null });
  });

  test("G7 D9 what was removed at one gateway is listed, restored and emptied at the other", async () => {
    const workspace = await realpath(await mkdtemp(join(tmpdir(), "belay-workspace-")));
    onTestFinished(() => rm(workspace, { recursive: true, force: true }));
    const { one, atOne, atTwo } = await two({ BELAY_WORKSPACE: workspace });
    const agent = await one.connectAgent();
    await agent.call("terminal", { command: "echo kept > a.txt; rm a.txt; echo gone > b.txt; rm b.txt" });
    const [a, b, ...others] = await atTwo.trash.list.query();
    expect([a?.path, b?.path, others]).toEqual([join(workspace, "a.txt"), join(workspace, "b.txt"), []]);
    expect(a?.gateway).toEqual({ id: one.cluster.self, name: "one" });
    expect(await atTwo.trash.size.query()).toEqual({ bytes: 10 });

    const restored = await atTwo.trash.restore.mutate({ id: a?.id ?? "", gateway: a?.gateway?.id });
    const elsewhere = atTwo.trash.restore.mutate({ id: b?.id ?? "", gateway: "gone" });

    expect(restored).toEqual({ status: "restored", path: join(workspace, "a.txt") });
    expect(await readFile(join(workspace, "a.txt"), "utf8")).toBe("kept\n");
    await expect(elsewhere).rejects.toThrow("The gateway that holds this is gone.");
    expect(await atTwo.trash.empty.mutate({})).toEqual({ removedItems: 1, freedBytes: 5 });
    expect(await atOne.trash.list.query()).toEqual([]);
  });

  test("G7 W5 the record that one gateway shows grows with what happens at the other", async () => {
    const { one, atTwo } = await two();
    const agent = await one.connectAgent();
    const [latest] = (await atTwo.audit.search.query({ limit: 1 })).events;

    await agent.call("terminal", { command: "echo seen everywhere" });

    const { events } = await atTwo.audit.search.query({ limit: 20 });
    expect(events.map(({ type }) => type)).toContain("command.closed");
    expect(events[0]?.at).toBeGreaterThanOrEqual(latest?.at ?? 0);
    expect(JSON.stringify(events)).toContain("echo seen everywhere");
  });

  test("G7 an agent of a machine is served by the gateway that the machine joined, whichever its calls reach", async () => {
    const { env, one, two: other, atTwo, cookie } = await two();
    await join1(one, "build-1");
    await vi.waitFor(() => expect(other.cluster.peers()[0]?.machines).toEqual(["build-1"]), SOON);
    const { token } = await one.agents.add({ name: "builder", profile: "standard", machines: "build-1" }, BY);
    const agent = await connect(other, token);

    expect(await agent.call("terminal", { command: "echo there" })).toMatchObject({ output: "there", isError: false });

    expect(await one.terminals.list()).toMatchObject([{ machine: "build-1" }]);
    expect(await other.terminals.list()).toEqual([]);
    expect(await atTwo.machines.list.query()).toMatchObject([{ name: "build-1", state: { status: "connected" } }]);

    const onCommandLine = await withControl(other.settings, (client) => client.machines.list.query());
    expect(onCommandLine).toMatchObject([{ name: "build-1", connectedTo: one.cluster.name }]);

    const opened = await atTwo.terminals.spawn.mutate({ machine: "build-1" });
    expect(opened).toMatchObject({ machine: "build-1" });
    await atTwo.terminals.kill.mutate({ id: opened.id });

    // A gateway that starts later knows the machine, and does not take its terminals for its own.
    const third = await startTestGateway({ env: { ...env, BELAY_GATEWAY_NAME: "three" } });
    await vi.waitFor(() => expect(third.cluster.peers()).toHaveLength(2), SOON);
    expect(await third.terminals.list()).toEqual([]);
    const atThree = consoleAt(third.url(), cookie);
    expect(await atThree.terminals.list.query()).toMatchObject([{ machine: "build-1" }]);
    expect(await atThree.machines.list.query()).toMatchObject([{ name: "build-1", state: { status: "connected" } }]);
    await connected(one, "build-1");
  });

  async function connect(gateway: TestGateway, token: string): Promise<TestAgent> {
    const agent = await TestAgent.connect(gateway.url(), token);
    onTestFinished(() => agent.close());
    return agent;
  }
});
