import type { TerminalId } from "@belay/protocol";
import { expect, onTestFinished, test, vi } from "vitest";
import { nextApproval } from "../../testing/next-approval.ts";
import { startTestGateway, type TestGateway } from "../../testing/start-test-gateway.ts";
import { type Era, TestAgent } from "../../testing/test-agent.ts";

const ERAS: Era[] = ["2025", "2026"];
const TOOLS = {
  unified: ["terminal", "terminal_read", "terminal_overview", "terminal_promote", "terminal_changes", "terminal_undo"],
  sessions: ["bash", "terminal_start", "terminal_continue", "terminal_stop", "terminal_list"],
  pool: ["list_terminals", "read_terminal", "spawn_background_terminal", "promote_terminal", "kill_terminal"],
  deep: ["deep_terminal"],
};

test.each(ERAS)(
  "G1 in the protocol of %s every toolset offers its tools, in order, with schemas and annotations",
  async (era) => {
    const gateway = await startTestGateway();
    const { token } = await gateway.addAgent();
    const names = async (toolset?: string) => {
      const agent = await connect(gateway, token, { era, ...(toolset ? { toolset } : {}) });
      const { tools } = await agent.client.listTools();
      for (const { description, inputSchema, outputSchema, annotations } of tools) {
        expect(description?.length).toBeGreaterThan(30);
        expect([inputSchema.type, outputSchema?.type]).toEqual(["object", "object"]);
        expect(annotations).toMatchObject({ readOnlyHint: expect.any(Boolean) });
        if (!annotations?.readOnlyHint) expect(annotations).toMatchObject({ destructiveHint: expect.any(Boolean) });
      }
      return tools.map(({ name }) => name);
    };

    expect(await names()).toEqual(TOOLS.unified);
    for (const [toolset, tools] of Object.entries(TOOLS)) expect(await names(toolset)).toEqual(tools);
    expect(await names("all")).toEqual(Object.values(TOOLS).flat());
  },
);

test("G1 a toolset that does not exist is a clear error", async () => {
  const gateway = await startTestGateway();
  const { token } = await gateway.addAgent();

  const response = await fetch(`${gateway.url()}/mcp?toolset=everything`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}` },
  });

  expect(response.status).toBe(400);
  expect(await response.json()).toEqual({
    message: "There is no such toolset. Use ?toolset= with one of: unified, sessions, pool, deep, all.",
  });
});

test.each(ERAS)("D1 G1 in the protocol of %s a client that asks for progress gets it while it waits", async (era) => {
  const gateway = await startTestGateway();
  const { token } = await gateway.addAgent();
  const agent = await connect(gateway, token, { era });
  const heard: unknown[] = [];

  const reply = await agent.client.callTool(
    { name: "terminal", arguments: { command: "echo done" } },
    { onprogress: (progress) => heard.push(progress) },
  );

  expect(reply.structuredContent).toMatchObject({ output: "done" });
  expect(heard[0]).toMatchObject({ progress: 0, message: "waiting, 0 s" });
});

test.each(ERAS)("G1 in the protocol of %s cancelling a call ends the wait, not the command", async (era) => {
  const gateway = await startTestGateway();
  const { token } = await gateway.addAgent();
  const agent = await connect(gateway, token, { era });
  const cancel = new AbortController();
  const started = nextBusy(gateway);

  const call = agent.client.callTool(
    { name: "terminal", arguments: { command: "head -n 1" } },
    { signal: cancel.signal },
  );
  const { handle } = await started;
  cancel.abort();
  await expect(call).rejects.toThrow();
  const sent = await agent.call("terminal", { handle_id: handle, input: "still here\n" });
  const answered = sent.handle_id ? await agent.finish(sent) : sent;

  expect(answered).toMatchObject({ exit_code: 0, output: expect.stringContaining("still here") });
});

test.each(ERAS)("G1 in the protocol of %s a terminal's output is a resource, only for its agent", async (era) => {
  const gateway = await startTestGateway();
  const [mine, others] = await Promise.all([gateway.addAgent(), gateway.addAgent({ name: "other" })]);
  const [agent, other] = await Promise.all([
    connect(gateway, mine.token, { era }),
    connect(gateway, others.token, { era }),
  ]);
  const { terminal_id } = await agent.call("terminal", { command: "echo a leaf" });

  const { resources } = await agent.client.listResources();
  const uri = `belay://terminals/${terminal_id}/output`;
  const { contents } = await agent.client.readResource({ uri });

  expect(resources.map((resource) => resource.uri)).toEqual([uri]);
  expect(contents).toMatchObject([{ uri, text: expect.stringContaining("a leaf") }]);
  expect((await other.client.listResources()).resources).toEqual([]);
  await expect(other.client.readResource({ uri })).rejects.toThrow();
});

test("G1 a subscriber to a terminal's output is notified of more, and only of its own", async () => {
  const gateway = await startTestGateway();
  const [mine, others] = await Promise.all([gateway.addAgent(), gateway.addAgent({ name: "other" })]);
  const [agent, other] = await Promise.all([
    connect(gateway, mine.token, { era: "2026" }),
    connect(gateway, others.token, { era: "2026" }),
  ]);
  const { terminal_id } = await agent.call("terminal", { command: "echo first" });
  const uri = `belay://terminals/${terminal_id}/output`;
  const [heard, overheard] = [await listen(agent, uri), await listen(other, uri)];

  await agent.call("terminal", { command: "echo second" });
  await heard.first;

  expect(heard.uris).toContain(uri);
  expect(overheard.uris).toEqual([]);
});

test("G5 a subscription ends when its agent is revoked", async () => {
  const gateway = await startTestGateway();
  const { token } = await gateway.addAgent();
  const agent = await connect(gateway, token, { era: "2026" });
  const { terminal_id } = await agent.call("terminal", { command: "echo first" });
  const subscription = await agent.client.listen({
    resourceSubscriptions: [`belay://terminals/${terminal_id}/output`],
  });

  await gateway.agents.revoke("tester", { type: "system" });

  expect(await subscription.closed).not.toBe("local");
});

test("D5 a client that supports tasks gets one for async work, polls it, and gets its result", async () => {
  const gateway = await startTestGateway();
  const [{ token }, others] = await Promise.all([gateway.addAgent(), gateway.addAgent({ name: "other" })]);
  const ask = (who: string, method: string, params: object, name: string) =>
    rawCall(gateway, who, { method, params, name, extensions: { "io.modelcontextprotocol/tasks": {} } });

  const command = { name: "terminal", arguments: { command: "head -n 1 /etc/shells; sleep 0.2", async: true } };
  const started = await ask(token, "tools/call", command, "terminal");
  const { taskId } = started.result;
  const peeked = await ask(others.token, "tasks/get", { taskId }, taskId);
  const unknown = await rawCall(gateway, token, {
    method: "tasks/get",
    params: { taskId },
    name: taskId,
    extensions: {},
  });
  let task = await ask(token, "tasks/get", { taskId }, taskId);
  while (task.result.status === "working") task = await ask(token, "tasks/get", { taskId }, taskId);

  expect(started.result).toMatchObject({
    resultType: "task",
    status: "working",
    taskId: expect.stringMatching(/^cmd-/),
  });
  expect(peeked.error).toMatchObject({ code: -32602 });
  expect(unknown.error).toMatchObject({ code: -32021 });
  expect(task.result).toMatchObject({ status: "completed", result: { structuredContent: { exit_code: 0 } } });
});

test("D5 a task that is cancelled ends its command", async () => {
  const gateway = await startTestGateway();
  const { token } = await gateway.addAgent();
  const extensions = { "io.modelcontextprotocol/tasks": {} };
  const command = { name: "terminal", arguments: { command: "sleep 600", async: true } };
  const started = await rawCall(gateway, token, {
    method: "tools/call",
    params: command,
    name: "terminal",
    extensions,
  });
  const params = { taskId: started.result.taskId };
  // A command that has not reached its shell yet would only be withdrawn.
  await vi.waitFor(async () => expect((await gateway.terminals.list())[0]?.activity.kind).toBe("busy"), 20_000);

  const cancelled = await rawCall(gateway, token, { method: "tasks/cancel", params, name: params.taskId, extensions });
  let task = await rawCall(gateway, token, { method: "tasks/get", params, name: params.taskId, extensions });
  while (task.result.status === "working") {
    task = await rawCall(gateway, token, { method: "tasks/get", params, name: params.taskId, extensions });
  }

  expect(cancelled.error).toBeUndefined();
  expect(task.result).toMatchObject({ status: "completed", result: { structuredContent: { state: "exited" } } });
});

test("A4 a client that can open pages shows the approval page; the client's own answer does not count", async () => {
  const gateway = await startTestGateway();
  const { token } = await gateway.addAgent();
  const operator = await gateway.asPerson("operator");
  const asked = nextApproval(gateway);
  const pages: string[] = [];
  const agent = await connect(gateway, token, { era: "2026", capabilities: { elicitation: { url: {} } } });
  agent.client.setRequestHandler("elicitation/create", async ({ params }) => {
    if (params.mode === "url") pages.push(params.url);
    expect(params.message).toContain("true && some-unknown-program; echo approved");
    const { id } = await asked;
    // The client's answer only says that the page was opened: nothing has run because of it.
    expect(await gateway.approvals.get(id)).toMatchObject({ state: { status: "pending" } });
    await operator.approvals.decide.mutate({ id, decision: "approve" });
    return { action: "accept" };
  });

  const reply = await agent.call("terminal", { command: "true && some-unknown-program; echo approved" });

  const { id } = await asked;
  expect(pages).toEqual([`${gateway.url()}/approvals?id=${id}`]);
  expect(reply).toMatchObject({ exit_code: 0, output: expect.stringContaining("approved") });
  const opened = (await gateway.audit.list(50)).filter(({ type }) => type === "command.opened");
  expect(opened).toHaveLength(1);
});

async function connect(
  gateway: TestGateway,
  token: string,
  { toolset, ...options }: { toolset?: string } & Parameters<typeof TestAgent.over>[1],
): Promise<TestAgent> {
  const agent = await TestAgent.connect(gateway.url(), token, toolset, options);
  onTestFinished(() => agent.close());
  return agent;
}

/** The next command that waits for input: its handle and its terminal. */
function nextBusy({ terminals }: TestGateway): Promise<{ handle: string; terminalId: TerminalId }> {
  return new Promise((resolve) => {
    const stop = terminals.subscribe((event) => {
      if (event.type !== "changed" || event.terminal.activity.kind !== "busy") return;
      const { commandId, wants } = event.terminal.activity;
      if (commandId === null || wants !== "input") return;
      stop();
      resolve({ handle: commandId, terminalId: event.terminal.id });
    });
  });
}

async function listen({ client }: TestAgent, uri: string) {
  const uris: string[] = [];
  const first = new Promise<void>((resolve) => {
    client.setNotificationHandler("notifications/resources/updated", ({ params }) => {
      uris.push(params.uri);
      resolve();
    });
  });
  await client.listen({ resourceSubscriptions: [uri] });
  return { uris, first };
}

interface RawCall {
  method: string;
  params: object;
  /** The subject of the request, which its headers repeat. */
  name: string;
  extensions: object;
}

/** A raw request of the 2026 protocol; the official client does not support tasks yet. */
async function rawCall({ url }: TestGateway, token: string, { method, params, name, extensions }: RawCall) {
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": { name: "raw", version: "1.0.0" },
    "io.modelcontextprotocol/clientCapabilities": { extensions },
  };
  const response = await fetch(`${url()}/mcp`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${token}`,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": method,
      "mcp-name": name,
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: { ...params, _meta } }),
  });
  // biome-ignore lint/suspicious/noExplicitAny: the server's answer can be any JSON, and is compared whole
  return (await response.json()) as { result: any; error?: { code: number } };
}
