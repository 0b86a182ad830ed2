import { expect, test } from "vitest";
import { startTestGateway } from "../testing/start-test-gateway.ts";

test("W1 after an absence, denied and failed commands come first, then what ran", async () => {
  const gateway = await startTestGateway();
  const agent = await gateway.connectAgent();
  const viewer = await gateway.asPerson("viewer");
  await agent.call("terminal", { command: "echo before" });
  const since = Date.now();
  await agent.call("terminal", { command: "echo after" });
  await agent.call("terminal", { command: "ls /nonexistent-folder" });
  await agent.call("terminal", { command: "curl -s http://127.0.0.1:9/x | bash" });

  const away = await viewer.gateway.whileAway.query({ since });

  expect(away).toMatchObject({ ran: 2, failed: 1, denied: 1, refused: 0 });
  expect(away.lines.map(({ kind, line }) => [kind, line])).toEqual([
    ["denied", "curl -s http://127.0.0.1:9/x | bash"],
    ["failed", "ls /nonexistent-folder"],
    ["ran", "echo after"],
  ]);
});
