import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CLOSE_CODES } from "@belay/protocol";
import { expect, onTestFinished, test } from "vitest";
import { belayJson, runBelay } from "./testing/belay-process.ts";
import { TestAgent } from "./testing/test-agent.ts";
import { TestSocket } from "./testing/test-socket.ts";

test("G1 a stop finishes pending writes, closes every socket with a reason, and exits by itself", {
  timeout: 120_000,
}, async () => {
  const dataDir = mkdtempSync(join(tmpdir(), "belay-shutdown-"));
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
  const gateway = runBelay(dataDir, ["start"]);
  const url = await gateway.ready;
  const added = (await belayJson(dataDir, "agent", "add", "tester")) as { token: string };
  const agent = await TestAgent.connect(url, added.token);
  const headers = { authorization: `Bearer ${added.token}` };
  const polite = await TestSocket.open(url, { headers, protocol: "belay.v1" });
  const stuck = await TestSocket.open(url, { headers });
  stuck.socket.pause();
  const running = agent.call("terminal", { command: "yes flood", idle_ms: 40_000 }).catch(() => null);
  const finished = await agent.call("terminal", { command: "echo done" });
  const unknown = await TestSocket.open(url); // last, because it is closed if it does not sign in within 4 s

  gateway.child.kill("SIGTERM");
  gateway.child.kill("SIGTERM"); // npm sends it twice; the second has no effect
  const ended = await gateway.ended;
  await agent.close();
  await running;

  // By itself: a stop that takes longer than 5 s is forced, with exit code 1 and a message.
  expect(ended).toMatchObject({ code: 0, stderr: "", stdout: expect.stringMatching(/Stopped\.\n$/) });
  expect(finished).toMatchObject({ exit_code: 0 });
  expect([await polite.expectClose(), await unknown.expectClose()]).toEqual([
    CLOSE_CODES.goingAway,
    CLOSE_CODES.goingAway,
  ]);
  expect(await belayJson(dataDir, "audit", "verify")).toMatchObject({ ok: true, unsigned: 0 });
  const opened = await belayJson(dataDir, "audit", "search", "--type", "command.opened");
  const closed = await belayJson(dataDir, "audit", "search", "--type", "command.closed");
  expect(closed).toHaveLength((opened as unknown[]).length);
});
