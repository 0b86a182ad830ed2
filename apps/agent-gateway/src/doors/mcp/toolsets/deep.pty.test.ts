import { tmpdir } from "node:os";
import { expect, test } from "vitest";
import { startTestGateway } from "../../../testing/start-test-gateway.ts";

test("A1 A3 A9 A10 start, execute, read, terminate: one shell by name that keeps its state", async () => {
  const gateway = await startTestGateway();
  const agent = await gateway.connectAgent({ toolset: "deep" });
  const deep = (args: Record<string, unknown>) => agent.call("deep_terminal", { session_id: "garden", ...args });

  const started = await deep({ action: "start", shell: "/bin/bash" });
  const first = await deep({ action: "execute", command: "SEED=acorn; cd /; echo $TERM" });
  const second = await deep({ action: "execute", command: "echo $SEED in $PWD; false" });
  const nothingNew = await deep({ action: "read" });
  const slow = await deep({ action: "execute", command: "echo begun; sleep 0.4; echo over", timeout_ms: 100 });
  const rest = await untilDone(() => deep({ action: "read" }));
  const ended = await deep({ action: "terminate" });
  const gone = await deep({ action: "execute", command: "echo hello" });

  expect(started).toMatchObject({ success: true, cwd: tmpdir(), isError: false });
  expect(first).toMatchObject({ output: "xterm-256color", exitCode: 0, success: true, cwd: "/", state: "completed" });
  expect(second).toMatchObject({ output: "acorn in /", exitCode: 1, success: false, isError: false });
  expect(nothingNew).toMatchObject({ output: "", exitCode: 1 });
  expect(slow).toMatchObject({ exitCode: null, success: false, state: "running" });
  // A read at the very end may have the prompt already.
  expect([slow.output, ...rest].join("")).toMatch(/^begun\s*over(\n.*[#$])?$/);
  expect(ended).toMatchObject({ success: true });
  expect(gone.isError).toBe(true);
  expect(await gateway.terminals.list()).toEqual([]);
});

test("A1 A2 a session has one shell; an invalid shell is refused, and nothing is started", async () => {
  const gateway = await startTestGateway();
  const agent = await gateway.connectAgent({ toolset: "deep" });
  const start = (session_id: string, shell?: string) =>
    agent.call("deep_terminal", { action: "start", session_id, ...(shell ? { shell } : {}) });

  const first = await start("one");
  const twice = await start("one");
  const plain = await start("two", "sh");
  const odd = await start("three", "/opt/no-such-shell");

  expect([first.isError, twice.isError, plain.isError]).toEqual([false, true, false]);
  expect(odd.isError).toBe(true);
  expect((await gateway.terminals.list()).map(({ name }) => name)).toEqual(["one", "two"]);
});

test("A4 A5 a refusal names the rule; a program's prompt is answered with execute", async () => {
  const gateway = await startTestGateway();
  const agent = await gateway.connectAgent({ toolset: "deep" });
  const deep = (args: Record<string, unknown>) => agent.call("deep_terminal", { session_id: "main", ...args });
  await deep({ action: "start" });

  const denied = await deep({ action: "execute", command: "curl -s http://127.0.0.1:9/x | sh" });
  const asks = await deep({ action: "execute", command: "head -n 1 | tr a-z A-Z" });
  const sent = await deep({ action: "execute", command: "elm" });
  const answers = [sent.output, ...(sent.exitCode === null ? await untilDone(() => deep({ action: "read" })) : [])];

  expect(denied).toMatchObject({ isError: true, success: false, rule: expect.any(String), exitCode: null });
  expect(asks).toMatchObject({ state: "waiting_input", success: false });
  expect(answers.join("")).toMatch(/ELM$/);
});

test("A1 Ctrl-C reaches a program in a session, which stays", async () => {
  const gateway = await startTestGateway();
  const agent = await gateway.connectAgent({ toolset: "deep" });
  const deep = (args: Record<string, unknown>) => agent.call("deep_terminal", { session_id: "main", ...args });
  await deep({ action: "start" });

  const running = await deep({ action: "execute", command: "sleep 600", timeout_ms: 50 });
  const stopped = await deep({ action: "execute", command: "\u0003" });
  if (stopped.exitCode === null) await untilDone(() => deep({ action: "read" }));
  const next = await deep({ action: "execute", command: "echo at the prompt" });

  expect(running).toMatchObject({ state: "running", exitCode: null });
  expect(next).toMatchObject({ output: "at the prompt", success: true });
});

/** Reads until the command is done, and returns all output. */
async function untilDone(read: () => Promise<Record<string, unknown>>): Promise<unknown[]> {
  const outputs: unknown[] = [];
  for (;;) {
    const { output, exitCode } = await read();
    outputs.push(output);
    if (exitCode !== null) return outputs;
  }
}

test("A2 a shell that does not exist is refused at once, without asking a person", async () => {
  const gateway = await startTestGateway();
  const agent = await gateway.connectAgent({ toolset: "deep" });

  const refused = await agent.client.callTool({
    name: "deep_terminal",
    arguments: { action: "start", session_id: "odd", shell: "/no/such/shell" },
  });

  expect(refused).toMatchObject({ isError: true, content: [{ text: expect.stringContaining("No shell") }] });
  expect(await gateway.approvals.list({ state: "all" })).toEqual([]);
});

test("A10 a call that has to ask a person is held no longer than its own timeout", async () => {
  const gateway = await startTestGateway();
  const agent = await gateway.connectAgent({ toolset: "deep" });
  await agent.call("deep_terminal", { action: "start", session_id: "work" });

  const asked = await agent.call("deep_terminal", {
    action: "execute",
    session_id: "work",
    command: "some-unknown-program",
    timeout_ms: 300,
  });

  // A slower answer would mean that it was held for 45 s: on a busy machine the question may not be there yet.
  expect(["waiting_approval", "running"]).toContain(asked.state);
}, 30_000);

test("A10 output is given whole up to 10 MB, and beyond that the reply counts what it leaves out", async () => {
  const gateway = await startTestGateway();
  const agent = await gateway.connectAgent({ toolset: "deep" });
  await agent.call("deep_terminal", { action: "start", session_id: "work" });
  const linesOf = async (count: number) => {
    const args = {
      action: "execute",
      session_id: "work",
      command: `seq 1000001 ${1_000_000 + count}`,
      timeout_ms: 45_000,
    };
    const { output, state } = await agent.call("deep_terminal", args);
    expect(state).toBe("completed");
    return String(output).trimEnd().split("\n");
  };

  const whole = await linesOf(1_200_000); // 9.6 MB
  const cut = await linesOf(1_500_000); // 12 MB

  expect(whole).toHaveLength(1_200_000);
  const at = cut.findIndex((line) => line.includes("left out"));
  const omitted = Number(/([\d,]+) lines/.exec(cut[at] ?? "")?.[1]?.replaceAll(",", ""));
  expect(cut.length - 1 + omitted).toBe(1_500_000);
  expect(Number(cut[at + 1]) - Number(cut[at - 1])).toBe(omitted + 1);
  expect(cut.join("\n").length).toBeGreaterThan(9_900_000);
}, 120_000);
