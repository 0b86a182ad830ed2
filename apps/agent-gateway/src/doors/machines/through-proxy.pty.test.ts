import { expect, test } from "vitest";
import { openConnectProxy } from "../../testing/machines/connect-proxy.ts";
import { agentOn, BY, connected } from "../../testing/machines/joined.ts";
import { startMachine } from "../../testing/machines/test-machine.ts";
import { startTestGateway } from "../../testing/start-test-gateway.ts";

test("G7 a machine joins through the proxy of its environment, and works through it", async () => {
  const gateway = await startTestGateway();
  const proxy = await openConnectProxy("known");
  const { token } = await gateway.machines.add("build-1", { hours: 1 }, BY);
  const env = { HTTP_PROXY: `http://belay:known@${proxy.host}` };
  const machine = await startMachine({ url: gateway.url(), token, env });
  await connected(gateway, "build-1");
  const agent = await agentOn(gateway, "build-1");

  expect(await agent.call("terminal", { command: "echo $((6*7))" })).toMatchObject({ output: "42" });
  expect(proxy.asked).toEqual([{ target: new URL(gateway.url()).host, password: "known" }]);
  machine.child.kill("SIGTERM");
  await machine.ended;

  // NO_PROXY leaves it out.
  const direct = await startMachine({ ...machine, url: gateway.url(), env: { ...env, NO_PROXY: "127.0.0.1" } });
  await direct.says('Connected to the gateway as "build-1"');
  expect(proxy.asked).toHaveLength(1);
});

test("G7 a proxy that refuses is named, without its password", async () => {
  const gateway = await startTestGateway();
  const proxy = await openConnectProxy("known");
  const { token } = await gateway.machines.add("build-1", { hours: 1 }, BY);

  const machine = await startMachine({
    url: gateway.url(),
    token,
    env: { HTTP_PROXY: `http://belay:guessed@${proxy.host}` },
  });
  await machine.says(`Not connected through the proxy ${proxy.host}`);

  expect(machine.printed()).toContain("407");
  expect(machine.printed()).not.toContain("guessed");
  const socks = await startMachine({ url: gateway.url(), token, env: { HTTP_PROXY: "socks5://127.0.0.1:9" } });
  expect(await socks.ended).not.toBe(0);
  expect(socks.printed()).toContain("must be an http:// or https:// address");
});
