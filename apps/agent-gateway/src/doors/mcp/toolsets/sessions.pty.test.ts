import { expect, test } from "vitest";
import { nextApproval } from "../../../testing/next-approval.ts";
import { startTestGateway } from "../../../testing/start-test-gateway.ts";
import type { TestAgent } from "../../../testing/test-agent.ts";

/** Sessions answer after half a second here, so that the tests need not wait for two. */
const QUICK = {
  toolDefaults: { sessions: { minIntervalMs: 0, settleIntervalMs: 500, maxIntervalMs: 5_000, bashTimeoutMs: 20_000 } },
};

test("C5 bash gives exit code and output, cropped at 10,000 characters, and keeps no state", async () => {
  const gateway = await startTestGateway();
  const agent = await gateway.connectAgent({ toolset: "sessions" });

  const listed = await text(agent, "bash", { command: "cd /; echo here; ls /no-such-folder" });
  const where = await text(agent, "bash", { command: "pwd" });
  const long = await agent.call("bash", { command: "seq 1 20000" });

  expect(listed).toMatch(/^Exit code: 2\n\nOutput:\nhere\n.*no-such-folder/);
  expect(where).not.toMatch(/Output:\n\/$/);
  expect(long).toMatchObject({ exitCode: 0, ok: true, outputTruncated: true, fullOutputFile: expect.any(String) });
  expect(String(long.output).length).toBeLessThanOrEqual(10_000);
});

test("C5 an unknown command asks and is refused without an answer; a dangerous one waits for a person", async () => {
  const gateway = await startTestGateway({
    security: { ...QUICK, approval: { sessionsTimeouts: { unknownMs: 50 } } },
  });
  const agent = await gateway.connectAgent({ toolset: "sessions" });
  const operator = await gateway.asPerson("operator");

  const unanswered = await agent.client.callTool({ name: "bash", arguments: { command: "some-unknown-program" } });
  const asked = nextApproval(gateway);
  const reply = text(agent, "bash", { command: "rm -r no-such-folder-here" });
  const approval = await asked;
  const pending = await agent.call("terminal_continue", { sessionId: approval.commandId });
  await operator.approvals.decide.mutate({ id: approval.id, decision: "deny", message: "Not that one." });

  expect(unanswered).toMatchObject({
    isError: true,
    content: [{ text: expect.stringContaining("no one answered in time") }],
  });
  expect(approval.expiresAt).toBeNull();
  expect(pending).toMatchObject({
    isError: false,
    id: approval.commandId,
    state: "waiting_approval",
    exitCode: null,
  });
  expect(await reply).toContain("Not that one.");
}, 90_000);

test("C6 C7 C8 a session is started, continued, listed and stopped, with positions that only grow", async () => {
  const gateway = await startTestGateway({ security: QUICK });
  const agent = await gateway.connectAgent({ toolset: "sessions" });

  const started = await text(agent, "terminal_start", { command: "echo nest; cat" });
  const sent = await untilReply(agent, { sessionId: "term-1", stdin: "twig\n" }, "twig\ntwig");
  const second = await text(agent, "terminal_start", { command: "sed 's/^/got /'", stdin: "straw\n" });
  const got = second.includes("got straw")
    ? second
    : (await untilReply(agent, { sessionId: "term-2" }, "got straw")).all;
  const list = await text(agent, "terminal_list", {});
  const stopped = await text(agent, "terminal_stop", { sessionId: "term-1" });
  const gone = await text(agent, "terminal_continue", { sessionId: "term-1" });

  expect(started).toMatch(
    /^Terminal Session Started\nID: term-1\nCommand: echo nest; cat\nPosition: (\d+)(?:\n[^\n]+)*\n\nOutput:\nnest$/,
  );
  expect(sent.last).toMatch(/^Terminal Session: term-1\nPosition: \d+\nComplete: false(?:\n[^\n]+)*\n\nOutput:\n/);
  expect(positionIn(sent.last)).toBeGreaterThan(positionIn(started));
  expect(second).toMatch(/^Terminal Session Started\nID: term-2\n/);
  expect(got).toContain("got straw");
  expect(list.split("\n")).toEqual([
    "Active Terminal Sessions:",
    "ID           | Command                        | Position | Running | Uptime",
    "-------------|--------------------------------|----------|---------|--------",
    expect.stringMatching(/^term-1 {7}\| echo nest; cat {17}\| \d+ +\| Yes {5}\| \d+s$/),
    expect.stringMatching(/^term-2 {7}\| sed 's\/\^\/got \/' +\| \d+ +\| Yes {5}\| \d+s$/),
  ]);
  expect(stopped).toBe("Terminal session term-1 terminated.");
  expect(gone).toContain('No session "term-1"');
});

test("C6 C7 a session whose command ends says so at once, with its exit code, and is closed", async () => {
  const gateway = await startTestGateway({ security: QUICK });
  const agent = await gateway.connectAgent({ toolset: "sessions" });

  const done = await agent.call("terminal_start", { command: "echo brief; false" });
  const asks = await agent.call("terminal_start", { command: "head -n 1; exit 4" });
  const ended = await untilReply(agent, { sessionId: asks.id, stdin: "last words\n" }, "Complete: true");

  expect(done).toMatchObject({ id: "term-1", complete: true, exitCode: 1, output: "brief" });
  expect(asks).toMatchObject({ id: "term-2", complete: false });
  expect(ended.last).toMatch(/^Terminal Session: term-2\nPosition: \d+\nComplete: true\nExit code: 4\n/);
  expect(ended.all.match(/last words/g)).toHaveLength(2);
  expect(await gateway.terminals.list()).toEqual([]);
});

test("C6 a REPL is started, given lines and stopped", async () => {
  const gateway = await startTestGateway({ security: QUICK });
  const agent = await gateway.connectAgent({ toolset: "sessions", profile: "trusted" });

  const started = await agent.call("terminal_start", { command: "python3 -q" });
  const printed = await untilReply(
    agent,
    { sessionId: started.id, stdin: "print('from the' + ' nest')\n" },
    "from the nest\n>>>",
  );
  const counted = await untilReply(agent, { sessionId: started.id, stdin: "eggs = 7\nprint(eggs * 6)\n" }, "42\n>>>");
  const stopped = await text(agent, "terminal_stop", { sessionId: started.id });

  expect(started).toMatchObject({ complete: false, output: ">>>" });
  expect(printed.all).not.toContain("42");
  expect(counted.all).not.toContain("nest");
  expect(stopped).toBe(`Terminal session ${started.id} terminated.`);
});

async function text(agent: TestAgent, name: string, args: Record<string, unknown>): Promise<string> {
  const { content } = await agent.client.callTool({ name, arguments: args });
  return (content as { text: string }[])[0]?.text ?? "";
}

/** Sends, and polls until a text has come; on a busy machine it takes more than one reply. */
async function untilReply(agent: TestAgent, args: { sessionId: unknown; stdin?: string }, wanted: string) {
  let last = await text(agent, "terminal_continue", args);
  let all = last;
  const outputs = [outputIn(last)];
  while (!last.includes(wanted) && !outputs.join("\n").includes(wanted)) {
    last = await text(agent, "terminal_continue", { sessionId: args.sessionId });
    all += last;
    outputs.push(outputIn(last));
  }
  return { last, all };
}

function outputIn(reply: string): string {
  return reply.slice(reply.indexOf("Output:\n") + "Output:\n".length);
}

function positionIn(reply: string): number {
  return Number(/Position: (\d+)/.exec(reply)?.[1]);
}
