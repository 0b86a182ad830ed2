import { expect, test } from "vitest";
import { startTestGateway } from "../../testing/start-test-gateway.ts";

test("S17 many bad tokens delay neither clients with a good one, nor health checks, nor sign-in", async () => {
  const gateway = await startTestGateway();
  const agent = await gateway.connectAgent();
  const operator = await gateway.asPerson("operator");
  const guess = () =>
    fetch(`${gateway.url()}/trpc/terminals.list`, { headers: { authorization: "Bearer blt_guessed" } });

  const statuses: number[] = [];
  while (statuses.length < 320) {
    const some = await Promise.all(Array.from({ length: 20 }, guess));
    statuses.push(...some.map(({ status }) => status));
    await Promise.all(some.map((response) => response.text()));
  }
  const health = await fetch(`${gateway.url()}/healthz`);
  const ready = await fetch(`${gateway.url()}/readyz`);

  expect([statuses.at(0), statuses.at(-1)]).toEqual([401, 429]);
  expect([health.status, ready.status]).toEqual([200, 200]);
  expect(await agent.call("terminal", { command: "echo still here" })).toMatchObject({ output: "still here" });
  await operator.gateway.freeze.mutate({ scope: "*" });
  await expect(gateway.signIn()).resolves.toContain("belay.session_token=");
});
