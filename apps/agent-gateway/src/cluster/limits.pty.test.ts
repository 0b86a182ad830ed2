import { tmpdir } from "node:os";
import { expect, onTestFinished, test, vi } from "vitest";
import { clusterEnv, onServers, startTestCluster } from "../testing/cluster/test-cluster.ts";
import { BY } from "../testing/machines/joined.ts";
import type { TestGateway } from "../testing/start-test-gateway.ts";
import { TestAgent } from "../testing/test-agent.ts";

const SOON = { timeout: 30_000, interval: 50 };

// Limits that several gateways must not multiply.
onServers((servers) => {
  async function two() {
    const cluster = await startTestCluster(await clusterEnv(servers()));
    const [one, other] = cluster.gateways as [TestGateway, TestGateway];
    await vi.waitFor(() => expect([one.cluster.peers().length, other.cluster.peers().length]).toEqual([1, 1]), SOON);
    return { one, other };
  }

  test("G4 G7 guesses of a password at two gateways count together", async () => {
    const { one, other } = await two();
    let guesses = 0;
    // Each for another person: otherwise they would be delayed.
    const guess = async (gateway: TestGateway) => {
      guesses += 1;
      const response = await fetch(`${gateway.url()}/api/auth/sign-in/email`, {
        method: "POST",
        headers: { "content-type": "application/json", origin: gateway.url() },
        body: JSON.stringify({ email: `person-${guesses}@belay.test`, password: "wrong horse battery" }),
      });
      return response.status;
    };

    // One has been used by the admin, who signed in.
    const answers: number[] = [];
    for (let time = 0; time < 10; time += 1) answers.push(await guess(one), await guess(other));

    expect(new Set(answers.slice(0, 10))).toEqual(new Set([401]));
    expect(answers.at(-1)).toBe(429);
    expect([await guess(one), await guess(other)]).toEqual([429, 429]);
  });

  test("B5 G7 an agent's terminals at another gateway count against its limit", async () => {
    const { one, other } = await two();
    const { token, id } = await one.agents.add({ name: "small", profile: "standard", maxTerminals: 2 }, BY);
    const agent = await TestAgent.connect(one.url(), token);
    onTestFinished(() => agent.close());
    await agent.call("terminal", { command: "tail -f /dev/null", background: true });
    // As if its first calls had reached both gateways in the same moment.
    await other.terminals.spawn({
      ...{ program: { type: "shell", shell: null, login: false }, env: {}, cwd: tmpdir(), cols: 80, rows: 24 },
      ...{ owner: "agent", visible: true, agentId: id, name: null, provider: "local" },
      limits: { idleTimeoutMs: null, maxLifetimeMs: null },
    });
    await vi.waitFor(() => expect(one.cluster.peers()[0]?.agents).toEqual([id]), SOON);

    const refused = await agent.client.callTool({ name: "terminal", arguments: { command: "echo hello" } });

    expect(JSON.stringify(refused.content)).toContain("This agent has 2 terminals open, which is all it may have");
  });
});
