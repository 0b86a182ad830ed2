import { Worker } from "node:worker_threads";
import { defaultPolicy } from "@belay/policy";
import { expect, onTestFinished, test, vi } from "vitest";
import { startTestGateway } from "../../testing/start-test-gateway.ts";
import { JudgeThreads, JudgeTimeout } from "./judge-threads.ts";

const SOON = { timeout: 60_000, interval: 50 };
const source = { key: "default", settings: defaultPolicy.settings, blocked: [], approval: [] };

test("S9 quoted and expanded text is judged in a thread, with the same result as here", async () => {
  const threads = open();

  const judged = await threads.run(
    { type: "text", text: "rm -r \"$HOME\"; echo 'done'", context: {} },
    source,
    "agent",
  );
  const plain = await threads.run({ type: "text", text: "git status", context: {} }, source, "agent");
  const typed = await threads.run(
    { type: "keys", text: "echo 'x'\n", reader: { kind: "shell", program: "bash" }, context: {} },
    source,
    "agent",
  );

  expect([judged.decision, plain.decision, typed.type]).toEqual(["deny", "allow", "judged"]);
});

test("S9 a text that hangs the judge times out, others continue meanwhile, and the thread is replaced", async () => {
  const threads = open({ start: startHangingWorker, watchdogMs: 300 });
  const judge = (text: string, owner: string) => threads.run({ type: "text", text, context: {} }, source, owner);

  const hanging = Promise.allSettled([judge("'hang' 1", "eve"), judge("'hang' 2", "eve"), judge("'hang' 3", "eve")]);
  const others = await Promise.all([judge("'fine' 1", "ada"), judge("'fine' 2", "ada")]);
  const given = await hanging;
  const afterwards = await judge("'fine' 3", "eve");

  expect(others).toEqual(["judged", "judged"]);
  expect(given.map((result) => result.status === "rejected" && result.reason instanceof JudgeTimeout)).toEqual([
    true,
    true,
    true,
  ]);
  expect(afterwards).toBe("judged");
});

test("S9 expensive texts do not block the gateway, and none of them runs without approval", async () => {
  const gateway = await startTestGateway();
  const agent = await gateway.connectAgent();
  const hard = [
    `x=${"a".repeat(40)}; echo \${x//${"*a".repeat(25)}*b/}`,
    `${"timeout 5 ".repeat(900)}invented-program`,
    `echo ${"{a,b}".repeat(40)}`,
    `echo ${"$(".repeat(200)}invented-program${")".repeat(200)}`,
  ];

  for (const command of hard) void agent.call("terminal", { command });
  const slowest = await slowestAnswer(`${gateway.url()}/healthz`, 20);
  const rows = async (type: "command.judged" | "command.started") =>
    (await gateway.audit.search({ types: [type] }, { cursor: null, limit: 50, order: "newest" })).events;
  await vi.waitFor(async () => expect(await rows("command.judged")).toHaveLength(hard.length), SOON);
  const allowed = (await rows("command.judged")).filter(({ detail }) => detail.decision === "allow");
  const started = await rows("command.started");

  // Far above what a busy machine needs, and far below what the judge once needed.
  expect(slowest).toBeLessThan(5_000);
  expect(allowed.map(({ detail }) => detail.text).filter(isInvented)).toEqual([]);
  expect(started.map(({ detail }) => detail.line).filter(isInvented)).toEqual([]);
});

function isInvented(line: unknown): boolean {
  return String(line).includes("invented-program");
}

function open(options: ConstructorParameters<typeof JudgeThreads>[0] = {}): JudgeThreads {
  const threads = new JudgeThreads(options);
  onTestFinished(() => threads.close());
  return threads;
}

/** A faulty judge that never returns for some texts. */
function startHangingWorker(): Worker {
  const code = `
    const { parentPort } = require("node:worker_threads");
    parentPort.on("message", ({ task }) => {
      while (task.text.includes("hang"));
      parentPort.postMessage({ type: "done", result: "judged" });
    });
    parentPort.postMessage({ type: "ready" });`;
  return new Worker(code, { eval: true });
}

async function slowestAnswer(url: string, times: number): Promise<number> {
  let slowest = 0;
  for (let time = 0; time < times; time += 1) {
    const startedAt = performance.now();
    await (await fetch(url)).text();
    slowest = Math.max(slowest, performance.now() - startedAt);
  }
  return slowest;
}
