import { expect, test } from "vitest";
import { clusterEnv, onServers } from "../testing/cluster/test-cluster.ts";
import { startTestGateway } from "../testing/start-test-gateway.ts";

onServers((servers) => {
  test("G7 gateways that start at the same moment on an empty database have one policy and one admin", async () => {
    const admin = { BELAY_ADMIN_EMAIL: "first@belay.test", BELAY_ADMIN_PASSWORD: "correct horse battery" };
    const env = { ...(await clusterEnv(servers())), ...admin };

    const names = ["one", "two", "three", "four"];
    const gateways = await Promise.all(
      names.map((name) => startTestGateway({ env: { ...env, BELAY_GATEWAY_NAME: name } })),
    );

    const [first] = gateways;
    expect(new Set(gateways.map(({ policy }) => policy.current.version)).size).toBe(1);
    expect((await first?.people.list())?.map(({ email, role }) => [email, role])).toEqual([
      ["first@belay.test", "admin"],
    ]);
    for (const { policy } of gateways) expect(await policy.isBehind()).toBe(false);
    for (const { audit } of gateways) expect(await audit.verify()).toMatchObject({ ok: true });
  });
});
