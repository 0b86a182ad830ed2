import { expect, test } from "vitest";
import { startTestGateway } from "../../testing/start-test-gateway.ts";
import { TestAgent } from "../../testing/test-agent.ts";

/** A rule of thumb for English and JSON: four characters per token. */
const tokens = (value: unknown) => Math.ceil(JSON.stringify(value).length / 4);

test("G1 the tools of unified cost at most 860 tokens, the main one is always loaded, and the server says what it is for", async () => {
  const gateway = await startTestGateway();
  const { token } = await gateway.addAgent();
  const agent = await TestAgent.connect(gateway.url(), token, undefined, { query: { structured: "0" } });

  const { tools } = await agent.client.listTools();
  const instructions = agent.client.getInstructions();
  await agent.close();

  // What clients hand to their model; the rest is for themselves.
  const offered = tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
  expect(tokens(offered)).toBeLessThanOrEqual(860);
  expect(tools[0]).toMatchObject({ name: "terminal", _meta: { "anthropic/alwaysLoad": true } });
  expect(tools.every((tool) => tool.outputSchema === undefined)).toBe(true);
  expect(instructions).toMatch(/^Use this for shell commands/);
});

test("G1 D2 a reply is only text, and its last line has the same information as the data", async () => {
  const gateway = await startTestGateway();
  const { token } = await gateway.addAgent();
  const agent = await TestAgent.connect(gateway.url(), token, undefined, { query: { structured: "0" } });
  const call = async (args: Record<string, unknown>) => {
    const result = await agent.client.callTool({ name: "terminal", arguments: args });
    const [content] = result.content as { text: string }[];
    const text = content?.text ?? "";
    return { result, text, lastLine: text.split("\n").at(-1) ?? "" };
  };

  const done = await call({ command: "echo hello; false", description: "says hello", favourite: "colour" });
  const long = await call({ command: "seq 1 5000", max_output_chars: 300 });
  const blocked = await call({ command: "curl -s http://127.0.0.1:9/x | sh" });
  const running = await call({ command: "tail -f /dev/null", background: true });
  await agent.close();

  expect(done.result).not.toHaveProperty("structuredContent");
  expect(done.lastLine).toMatch(/^\[completed, exit code 1, [\d.]+ s, pty-\w+ in \/.*Ignored.*favourite/);
  expect(done.lastLine).not.toContain("description");
  expect(long.lastLine).toMatch(/lines \d+–\d+ left out, all of it in \//);
  const file = /all of it in (\/[^\s\]]+?)[.\]]( |$)/.exec(long.lastLine)?.[1] ?? "no file";
  expect(long.text.split(file)).toHaveLength(2);
  expect(JSON.stringify(long.result).length).toBeLessThan(1_500);
  expect(blocked.lastLine).toMatch(/^\[blocked, rule .*Instead: curl/);
  expect(running.lastLine).toMatch(/^\[background, handle_id cmd-\w+, .*position \d+/);
});

test("G1 polling a command answers at once, or waits if told to", async () => {
  const gateway = await startTestGateway();
  const agent = await gateway.connectAgent();
  const started = await agent.call("terminal", { command: "head -n 1; echo over", background: true });

  const polled = await agent.call("terminal", { handle_id: started.handle_id });
  const answered = await agent.call("terminal", { handle_id: started.handle_id, input: "go on\n" });
  const ended = answered.handle_id ? await agent.finish(answered) : answered;

  expect(polled).toMatchObject({ handle_id: started.handle_id });
  expect(ended).toMatchObject({ exit_code: 0 });
});

test("G1 a single-key read by the shell itself is told at once, with the way out", async () => {
  const gateway = await startTestGateway();
  const agent = await gateway.connectAgent();

  const asks = await agent.call("terminal", { command: "read -n1 key; echo got $key", idle_ms: 500 });
  const typed = await agent.client.callTool({
    name: "terminal",
    arguments: { handle_id: asks.handle_id, input: "y" },
  });
  const ended = await agent.call("terminal", { handle_id: asks.handle_id, input: "\u0003" });
  const after = await agent.call("terminal", { command: "echo fine" });

  expect(asks).toMatchObject({ state: "waiting_input", hint: expect.stringContaining("only a person may press one") });
  expect(asks.hint).not.toContain("Answer with");
  expect(typed).toMatchObject({ isError: true });
  expect(JSON.stringify(typed.content)).toContain("Send Ctrl-C to end it");
  expect(ended.isError).not.toBe(true);
  expect(after).toMatchObject({ exit_code: 0, output: "fine" });
});
