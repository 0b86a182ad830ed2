import { expect, test } from "vitest";
import { startTestGateway, type TestGateway } from "../../testing/start-test-gateway.ts";

const HEADERS = { "content-type": "application/json", accept: "application/json, text/event-stream" };

function post(gateway: TestGateway, token: string, conversation: string, message: object, signal?: AbortSignal) {
  return fetch(`${gateway.url()}/mcp`, {
    method: "POST",
    headers: { ...HEADERS, authorization: `Bearer ${token}`, "mcp-session-id": conversation },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, ...message }),
    ...(signal ? { signal } : {}),
  });
}

const run = (command: string, more: object = {}) => ({
  method: "tools/call",
  params: { name: "terminal", arguments: { command, ...more } },
});

const textOf = async (response: Response) => {
  const { id, result } = (await response.json()) as { id: number; result: { content: { text: string }[] } };
  return { id, text: result.content[0]?.text ?? "" };
};

test("D1 concurrent calls with the same id each get their own answer, as plain JSON", async () => {
  const gateway = await startTestGateway();
  const { token } = await gateway.addAgent();
  const names = ["one", "two", "three", "four"];

  const responses = await Promise.all(names.map((name) => post(gateway, token, name, run(`echo it is ${name}`))));

  expect(responses.map(({ headers }) => headers.get("content-type"))).toEqual(names.map(() => "application/json"));
  const answers = await Promise.all(responses.map(textOf));
  expect(answers.map(({ id }) => id)).toEqual([1, 1, 1, 1]);
  for (const [at, name] of names.entries()) expect(answers[at]?.text).toContain(`it is ${name}`);
});

test("D1 a call that asks for progress gets a stream, and so does anything but a plain call", async () => {
  const gateway = await startTestGateway();
  const { token } = await gateway.addAgent();
  const call = run("echo on");
  const withProgress = { ...call, params: { ...call.params, _meta: { progressToken: 7 } } };

  const responses = [
    await post(gateway, token, "one", withProgress),
    await post(gateway, token, "one", { method: "tools/list" }),
  ];

  for (const response of responses) expect(response.headers.get("content-type")).toContain("text/event-stream");
  expect(await responses[0]?.text()).toContain('"progressToken":7');
  await responses[1]?.text();
});

test("D1 a refusal and an unknown tool are reported as before", async () => {
  const gateway = await startTestGateway();
  const { token } = await gateway.addAgent();

  const refused = await textOf(await post(gateway, token, "one", { ...run("true", { handle_id: "cmd-1" }) }));
  const unknown = await post(gateway, token, "one", {
    method: "tools/call",
    params: { name: "nothing", arguments: {} },
  });

  expect(refused.text).toContain("Send `command` or `handle_id`, not both");
  expect(JSON.stringify(await unknown.json())).toContain("nothing");
});

test("D2 a client that disconnects ends only its own call, and the command continues", async () => {
  const gateway = await startTestGateway();
  const { token } = await gateway.addAgent();
  await textOf(await post(gateway, token, "one", run("true")));
  const hangUp = new AbortController();
  const cut = post(gateway, token, "one", run("read -r answer; echo got $answer"), hangUp.signal).catch(() => "cut");
  const isReading = async () => (await gateway.terminals.list()).some(({ activity }) => activity.kind === "busy");
  await expect.poll(isReading, { timeout: 20_000 }).toBe(true);
  hangUp.abort();

  const other = await textOf(await post(gateway, token, "two", run("echo still here")));

  expect(await cut).toBe("cut");
  expect(other.text).toContain("still here");
  expect(await isReading()).toBe(true);
});
