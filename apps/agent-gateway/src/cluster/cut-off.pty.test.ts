import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { runBelay } from "../testing/belay-process.ts";
import { openLink } from "../testing/cluster/cut-link.ts";
import { findNats, startNats } from "../testing/cluster/nats-server.ts";
import { clusterEnv, onServers, startTestCluster, type TestServers } from "../testing/cluster/test-cluster.ts";
import { nextApproval } from "../testing/next-approval.ts";
import { startTestGateway, type TestGateway } from "../testing/start-test-gateway.ts";

// Unknown to any policy, so it always asks; `true` makes it harmless.
const RISKY = "true && some-unknown-program; echo done";
const SOON = { timeout: 30_000, interval: 50 };

onServers((servers) => {
  test("G7 a gateway whose link to the others is cut judges nothing, and first reads what it missed", async () => {
    const { link, near, far } = await openCutPair(servers());
    const agent = await far.connectAgent();
    expect(await agent.call("terminal", { command: "echo hello" })).toMatchObject({ output: "hello" });

    link.cut();
    await vi.waitFor(() => expect(far.cluster.problem()).toContain("judges nothing"), SOON);
    const refused = await agent.call("terminal", { command: "echo hello" });
    const ready = await fetch(`${far.url()}/readyz`);
    expect(refused).toMatchObject({ isError: true, output: expect.stringContaining("judges nothing") });
    expect([ready.status, await ready.json()]).toEqual([503, { status: "degraded", problems: [{ part: "gateways" }] }]);
    await vi.waitFor(() => expect(near.cluster.peers()).toEqual([]), SOON);
    await vi.waitFor(() => expect(near.cluster.problem()).toBeNull(), SOON);

    const text = JSON.stringify({ commandDenyPatterns: ["^echo hello"] });
    await near.policy.save(text, { by: { type: "system" }, note: "", basedOn: near.policy.current.version });
    link.heal();
    await vi.waitFor(() => expect(far.cluster.problem()).toBeNull(), SOON);

    expect(far.policy.current.version).toBe(near.policy.current.version);
    expect(await agent.call("terminal", { command: "echo hello" })).toMatchObject({ security_blocked: true });
    await knowEachOther(near, far);
    expect((await fetch(`${far.url()}/readyz`)).status).toBe(200);
  });

  test("G7 while NATS is killed nothing starts, an approval stays open, and all goes on once it is back", async () => {
    const nats = await startNats(String(findNats()));
    onTestFinished(() => nats.close());
    const env = await clusterEnv(servers(), { natsUrl: nats.url, deafAfterSeconds: 3 });
    const { gateways, consoles } = await startTestCluster(env);
    const [one, two] = gateways as [TestGateway, TestGateway];
    const [atOne, atTwo] = consoles as [(typeof consoles)[0], (typeof consoles)[0]];
    await knowEachOther(one, two);
    const agent = await one.connectAgent();
    const asked = nextApproval(one);
    const reply = agent.call("terminal", { command: RISKY });
    const { id, commandId } = await asked;

    await nats.kill();
    await vi.waitFor(() => expect([one.cluster.problem(), two.cluster.problem()]).not.toContain(null), SOON);
    await expect(atOne.approvals.decide.mutate({ id, decision: "approve" })).rejects.toThrow("the question stays open");
    await nats.start();
    await vi.waitFor(() => expect([one.cluster.problem(), two.cluster.problem()]).toEqual([null, null]), SOON);
    await knowEachOther(one, two);
    await atTwo.approvals.decide.mutate({ id, decision: "approve" });

    expect(await reply).toMatchObject({ state: "completed", output: expect.stringMatching(/done$/) });
    const started = (await one.audit.list(100)).filter((row) => row.commandId === commandId);
    expect(started.filter(({ type }) => type === "command.started")).toHaveLength(1);
  });

  test("G7 an answer that was given while the bus was down reaches the command that waits", async () => {
    const { link, near, far } = await openCutPair(servers());
    const agent = await far.connectAgent();
    const asked = nextApproval(far);
    const reply = agent.call("terminal", { command: RISKY });
    const { id } = await asked;

    link.cut();
    await vi.waitFor(() => expect(near.cluster.peers()).toEqual([]), SOON);
    await near.approvals.decide(id, { decision: "deny", message: "Not now." }, await near.admin());
    link.heal();

    expect(await reply).toMatchObject({ output: expect.stringContaining("Not now."), isError: true });
  });

  test("G7 a freeze names the gateway that did not confirm it", async () => {
    const env = { ...(await clusterEnv(servers())), BELAY_ADMIN_EMAIL: "", BELAY_ADMIN_PASSWORD: "" };
    const one = await startTestGateway({
      env: { ...env, BELAY_ADMIN_EMAIL: "admin@belay.test", BELAY_ADMIN_PASSWORD: "correct horse battery" },
    });
    const dataDir = await mkdtemp(join(tmpdir(), "belay-gateway-"));
    onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
    const other = runBelay(dataDir, ["start"], [], undefined, { ...env, BELAY_GATEWAY_NAME: "stopped one" });
    await other.ready;
    await vi.waitFor(() => expect(one.cluster.peers()).toHaveLength(1), SOON);

    other.child.kill("SIGSTOP");
    const { notReached } = await one.freezer.freeze("*", { type: "system" });
    other.child.kill("SIGCONT");
    const again = await vi.waitFor(async () => {
      const answer = await one.freezer.freeze("*", { type: "system" });
      expect(answer.notReached).toEqual([]);
      return answer;
    }, SOON);

    expect(notReached).toEqual(["stopped one"]);
    expect(again.notReached).toEqual([]);
    expect(JSON.stringify(await one.audit.list(10))).toContain("stopped one");
  });

  test("G7 without a common database there is no cluster", async () => {
    const env = { ...(await clusterEnv(servers())), BELAY_DATABASE_URL: "" };

    await expect(startTestGateway({ env })).rejects.toThrow("needs BELAY_DATABASE_URL=postgres://");
    await expect(startTestGateway({ env: { ...env, BELAY_CLUSTER_SECRET: "" } })).rejects.toThrow();
  });
});

/** Two gateways, of which the second reaches NATS over a link that can be cut. */
async function openCutPair(servers: TestServers) {
  const link = await openLink(servers.nats.port);
  onTestFinished(() => link.close());
  const env = await clusterEnv(servers, { deafAfterSeconds: 3 });
  const near = await startTestGateway({ env: { ...env, BELAY_GATEWAY_NAME: "near" } });
  const far = await startTestGateway({
    env: { ...env, BELAY_GATEWAY_NAME: "far", BELAY_NATS_URL: `nats://127.0.0.1:${link.port}` },
  });
  await knowEachOther(near, far);
  return { link, near, far };
}

async function knowEachOther(one: TestGateway, other: TestGateway): Promise<void> {
  await vi.waitFor(() => expect([one.cluster.peers().length, other.cluster.peers().length]).toEqual([1, 1]), SOON);
}
