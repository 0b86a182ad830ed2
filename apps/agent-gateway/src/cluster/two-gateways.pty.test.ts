import { CLOSE_CODES } from "@belay/protocol";
import { expect, onTestFinished, test, vi } from "vitest";
import {
  clusterEnv,
  consoleAt,
  onServers,
  startTestCluster,
  type TestCluster,
} from "../testing/cluster/test-cluster.ts";
import { nextApproval } from "../testing/next-approval.ts";
import type { TestGateway } from "../testing/start-test-gateway.ts";
import { TestAgent } from "../testing/test-agent.ts";

// Unknown to any policy, so it always asks; `true` makes it harmless.
const RISKY = "true && some-unknown-program; echo done";
const SOON = { timeout: 30_000, interval: 50 };

onServers((servers) => {
  async function two(security: object = {}) {
    const cluster = await startTestCluster(await clusterEnv(servers()), ["one", "two"], security);
    const [one, two] = cluster.gateways as [TestGateway, TestGateway];
    const [atOne, atTwo] = cluster.consoles as [TestCluster["consoles"][0], TestCluster["consoles"][0]];
    await vi.waitFor(() => expect([one.cluster.peers().length, two.cluster.peers().length]).toEqual([1, 1]), SOON);
    return { one, two, atOne, atTwo, cookie: cluster.cookie };
  }

  test("G7 an approval asked at one gateway is answered at another, and its command runs", async () => {
    const { one, atTwo } = await two();
    const agent = await one.connectAgent();

    const asked = nextApproval(one);
    const reply = agent.call("terminal", { command: RISKY });
    const approval = await asked;
    expect(await atTwo.approvals.list.query()).toMatchObject([{ id: approval.id }]);
    await atTwo.approvals.decide.mutate({ id: approval.id, decision: "approve" });

    expect(await reply).toMatchObject({ state: "completed", output: expect.stringMatching(/done$/) });
  });

  test("G7 an approval can be edited, and refused, at another gateway", async () => {
    const { one, atTwo } = await two();
    const agent = await one.connectAgent();

    const first = nextApproval(one);
    const edited = agent.call("terminal", { command: RISKY });
    const { id } = await first;
    expect(await atTwo.approvals.judgeEdit.query({ id, command: "echo edited" })).toMatchObject({ problem: null });
    await atTwo.approvals.decide.mutate({ id, decision: "approve", command: "echo edited" });
    expect(await edited).toMatchObject({ output: "edited" });

    const second = nextApproval(one);
    const refused = agent.call("terminal", { command: RISKY });
    await atTwo.approvals.decide.mutate({ id: (await second).id, decision: "deny", message: "Not today." });
    expect(await refused).toMatchObject({ output: expect.stringContaining("Not today."), isError: true });
  });

  test("G7 of two answers at the same moment one counts, and the command runs once", async () => {
    const { one, atOne, atTwo } = await two();
    const agent = await one.connectAgent();

    for (let round = 0; round < 5; round += 1) {
      const asked = nextApproval(one);
      const reply = agent.call("terminal", { command: RISKY });
      const { id, commandId } = await asked;
      const answers = await Promise.allSettled([
        atOne.approvals.decide.mutate({ id, decision: "approve" }),
        atTwo.approvals.decide.mutate({ id, decision: "approve" }),
        atTwo.approvals.decide.mutate({ id, decision: "deny" }),
      ]);
      await reply;

      expect(answers.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
      const { state } = await atTwo.approvals.get.query({ id });
      const rows = await one.audit.list(100);
      const started = rows.filter((row) => row.type === "command.started" && row.commandId === commandId);
      expect(started).toHaveLength(state.status === "approved" ? 1 : 0);
    }
  });

  test("G7 a policy saved at one gateway is in force at the other", async () => {
    const { one, two: other, atOne, atTwo } = await two();
    const agent = await other.connectAgent();
    expect(await agent.call("terminal", { command: "echo allowed" })).toMatchObject({ output: "allowed" });
    const { version } = one.policy.current;

    const text = JSON.stringify({ commandDenyPatterns: ["^echo allowed"] });
    await atOne.policy.save.mutate({ text, note: "no more", basedOn: version });
    const reply = await agent.call("terminal", { command: "echo allowed" });

    expect(reply).toMatchObject({ security_blocked: true });
    await vi.waitFor(() => expect(other.policy.current.version).toBe(one.policy.current.version), SOON);
    await expect(atTwo.policy.save.mutate({ text: "{}", note: "too late", basedOn: version })).rejects.toThrow(
      "has changed meanwhile",
    );
  });

  test("G7 of two policies saved at the same moment one counts, and both gateways have it", async () => {
    const { one, two: other, atOne, atTwo } = await two();
    const basedOn = one.policy.current.version;
    const text = (program: string) => JSON.stringify({ commandDenyPatterns: [program] });

    const saved = await Promise.allSettled([
      atOne.policy.save.mutate({ text: text("a-program"), note: "one", basedOn }),
      atTwo.policy.save.mutate({ text: text("b-program"), note: "two", basedOn }),
    ]);

    expect(saved.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    await vi.waitFor(() => expect(other.policy.current.version).toBe(one.policy.current.version), SOON);
    expect(one.policy.current.version).not.toBe(basedOn);
  });

  test("G7 a freeze at one gateway stops agents at the other, which confirms it", async () => {
    const { two: other, atOne } = await two();
    const agent = await other.connectAgent();

    const { notReached } = await atOne.gateway.freeze.mutate({ scope: "*" });
    const frozen = await agent.call("terminal", { command: "echo hello" });
    await atOne.gateway.release.mutate({ scope: "*" });
    const released = await agent.call("terminal", { command: "echo hello" });

    expect(notReached).toEqual([]);
    expect(frozen).toMatchObject({ isError: true, output: expect.stringContaining("frozen") });
    expect(released).toMatchObject({ output: "hello" });
  });

  test("G7 the terminals of every gateway are in every console, and a viewer types into one of another gateway", async () => {
    const { one, two: other, atTwo, atOne, cookie } = await two();
    const terminal = await atOne.terminals.spawn.mutate({});

    expect(await atTwo.terminals.list.query()).toMatchObject([{ id: terminal.id }]);
    expect(await atTwo.terminals.get.query({ id: terminal.id })).toMatchObject({ id: terminal.id });
    const viewer = await other.connectViewer({ cookie }, `?terminal=${terminal.id}`);
    const { channel } = await viewer.attach(terminal.id);
    viewer.send({ type: "input", channel, bytes: Buffer.from("echo $((20 + 22))\r") });
    await viewer.expectText("42");
    await atTwo.terminals.kill.mutate({ id: terminal.id });

    await vi.waitFor(async () => expect(await one.terminals.list()).toEqual([]), SOON);
    expect(await atTwo.recordings.list.query()).toEqual([terminal.id]);
    expect(await atTwo.recordings.about.query({ id: terminal.id })).toMatchObject({ id: terminal.id });
  });

  test("G7 an agent's calls go to the gateway with its terminals, whichever they reach", async () => {
    const { one, two: other } = await two();
    const { token } = await one.addAgent({ name: "wanderer" });
    const [atOne, atTwo] = [await connect(one, token), await connect(other, token)];
    await atOne.call("terminal", { command: "echo first" });
    await vi.waitFor(() => expect(other.cluster.peers()[0]?.agents).toHaveLength(1), SOON);

    const reply = await atTwo.call("terminal", { command: "echo second" });

    expect(reply).toMatchObject({ output: "second", isError: false });
    expect(await other.terminals.list()).toEqual([]);
    expect((await one.terminals.list()).length).toBeGreaterThan(0);
  });

  test("G7 an agent that is revoked, and a person who signs out, lose their connections everywhere", async () => {
    const { one, two: other, atOne, cookie } = await two();
    const { token } = await one.addAgent({ name: "short" });
    const agentSocket = await other.connectViewer({ authorization: `Bearer ${token}` });
    const personSocket = await other.connectViewer({ cookie });
    await Promise.all([agentSocket.expect("ready"), personSocket.expect("ready")]);

    await atOne.agents.revoke.mutate({ name: "short" });
    expect(await agentSocket.expectClose()).toBe(CLOSE_CODES.revoked);
    await fetch(`${one.url()}/api/auth/sign-out`, {
      method: "POST",
      headers: { cookie, "content-type": "application/json", origin: one.url() },
      body: "{}",
    });

    expect(await personSocket.expectClose()).toBe(CLOSE_CODES.revoked);
    await expect(consoleAt(other.url(), cookie).terminals.list.query()).rejects.toThrow("Sign in");
  });

  test("G7 consoles hear of what happens at other gateways", async () => {
    const { one, two: other } = await two();
    const heard: string[] = [];
    onTestFinished(
      other.events.subscribeToAll((event, place) => {
        if (place === "elsewhere" && event.type === "approval") heard.push(`${event.event} ${event.approval.id}`);
      }),
    );
    const agent = await one.connectAgent();

    const asked = nextApproval(one);
    const reply = agent.call("terminal", { command: RISKY });
    const { id } = await asked;
    await one.approvals.withdraw(id, "It is over.");
    await reply;

    await vi.waitFor(() => expect(heard).toEqual([`asked ${id}`, `settled ${id}`]), SOON);
  });

  async function connect(gateway: TestGateway, token: string): Promise<TestAgent> {
    const agent = await TestAgent.connect(gateway.url(), token);
    onTestFinished(() => agent.close());
    return agent;
  }
});
