import { once } from "node:events";
import { createServer } from "node:http";
import { text } from "node:stream/consumers";

/**
 * A stand-in for the models of all clients, on loopback. Each conversation has its own address, `/ID/…`: the model first
 * calls the client's shell tool with the command of that conversation, as often as it is to, keeps what it reads back, and ends.
 */
export async function startStandInModel() {
  const conversations = new Map();
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://localhost");
    const conversation = conversations.get(pathname.split("/")[1]);
    const body = await text(request);
    const api = APIS.find(({ path }) => path.test(pathname));
    if (!conversation || !api || request.method !== "POST") return void response.writeHead(404).end("{}");
    const asked = JSON.parse(body);
    const { count, last } = api.resultsIn(asked);
    if (last !== null) conversation.read = last;
    if (count > conversation.tookMs.length) conversation.tookMs.push(performance.now() - conversation.calledAt);
    const tool = count < conversation.times ? api.shellToolIn(asked) : null;
    if (tool) conversation.calledAt = performance.now();
    response.writeHead(200, { "content-type": "text/event-stream" });
    for (const { event, data } of tool ? api.call(tool, conversation.command, count + 1) : api.say("It is done.")) {
      response.write(`${event ? `event: ${event}\n` : ""}data: ${data === "[DONE]" ? data : JSON.stringify(data)}\n\n`);
    }
    response.end();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    /**
     * What the model is to run and how often. `read` is what it was told about it, `tookMs` how long after each call of
     * the tool its result arrived.
     */
    begin(id, command, { times = 1 } = {}) {
      const conversation = { command, times, read: null, tookMs: [], calledAt: 0 };
      conversations.set(id, conversation);
      return conversation;
    },
    close: () => server.closeAllConnections() ?? server.close(),
  };
}

const SHELL = /^(Bash|bash|shell|shell_command|exec_command|run_shell_command)$/;
const plainText = (value) => (typeof value === "string" ? value : JSON.stringify(value));
const resultsOf = (all) => ({ count: all.length, last: all.length === 0 ? null : plainText(all.at(-1)) });

const anthropic = {
  path: /\/v1\/messages$/,
  resultsIn: ({ messages }) => {
    const parts = messages.flatMap(({ content }) => (Array.isArray(content) ? content : []));
    return resultsOf(parts.filter(({ type }) => type === "tool_result").map(({ content }) => content));
  },
  shellToolIn: ({ tools = [] }) => tools.find(({ name }) => SHELL.test(name)) ?? null,
  call: ({ name }, command, number) => {
    const block = { type: "tool_use", id: `toolu_${number}`, name, input: {} };
    const input = JSON.stringify({ command, description: "Run it" });
    return anthropicStream(block, { type: "input_json_delta", partial_json: input }, "tool_use");
  },
  say: (words) => anthropicStream({ type: "text", text: "" }, { type: "text_delta", text: words }, "end_turn"),
};

function anthropicStream(block, delta, stopReason) {
  const message = {
    id: "msg_1",
    type: "message",
    role: "assistant",
    model: "stand-in",
    content: [],
    stop_reason: null,
  };
  const usage = { input_tokens: 1, output_tokens: 1 };
  return [
    { type: "message_start", message: { ...message, usage } },
    { type: "content_block_start", index: 0, content_block: block },
    { type: "content_block_delta", index: 0, delta },
    { type: "content_block_stop", index: 0 },
    { type: "message_delta", delta: { stop_reason: stopReason, stop_sequence: null }, usage },
    { type: "message_stop" },
  ].map((data) => ({ event: data.type, data }));
}

const openaiResponses = {
  path: /\/responses$/,
  resultsIn: ({ input }) => {
    const items = Array.isArray(input) ? input : [];
    return resultsOf(items.filter(({ type }) => type === "function_call_output").map(({ output }) => output));
  },
  shellToolIn: ({ tools = [] }) => tools.find(({ name }) => SHELL.test(name ?? "")) ?? null,
  call: (tool, command, number) => {
    const properties = tool.parameters?.properties ?? {};
    const key = "cmd" in properties ? "cmd" : "command";
    const value = properties[key]?.type === "array" ? ["bash", "-lc", command] : command;
    const item = { type: "function_call", id: `fc_${number}`, call_id: `call_${number}`, name: tool.name };
    return responsesStream({ ...item, status: "completed", arguments: JSON.stringify({ [key]: value }) });
  },
  say: (words) => {
    const content = [{ type: "output_text", text: words, annotations: [] }];
    return responsesStream({ type: "message", id: "msg_1", role: "assistant", status: "completed", content });
  },
};

function responsesStream(item) {
  const usage = {
    input_tokens: 1,
    output_tokens: 1,
    total_tokens: 2,
    input_tokens_details: null,
    output_tokens_details: null,
  };
  const response = { id: "resp_1", object: "response", status: "completed", output: [item], usage };
  return [
    { type: "response.created", response: { id: "resp_1" } },
    { type: "response.output_item.done", output_index: 0, item },
    { type: "response.completed", response },
  ].map((data) => ({ event: data.type, data }));
}

const gemini = {
  path: /:(streamGenerateContent|generateContent)$/,
  resultsIn: ({ contents = [] }) => {
    const parts = contents.flatMap(({ parts }) => parts ?? []);
    return resultsOf(parts.flatMap(({ functionResponse }) => (functionResponse ? [functionResponse.response] : [])));
  },
  shellToolIn: ({ tools = [] }) =>
    tools.flatMap(({ functionDeclarations }) => functionDeclarations ?? []).find(({ name }) => SHELL.test(name)) ??
    null,
  call: ({ name }, command) => geminiStream({ functionCall: { name, args: { command, description: "Run it" } } }),
  say: (words) => geminiStream({ text: words }),
};

function geminiStream(part) {
  const candidates = [{ content: { role: "model", parts: [part] }, finishReason: "STOP", index: 0 }];
  return [
    { data: { candidates, usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 } } },
  ];
}

const chatCompletions = {
  path: /\/chat\/completions$/,
  resultsIn: ({ messages }) => resultsOf(messages.filter(({ role }) => role === "tool").map(({ content }) => content)),
  shellToolIn: ({ tools = [] }) => tools.find((tool) => SHELL.test(tool.function?.name ?? ""))?.function ?? null,
  call: ({ name }, command, number) => {
    const call = { name, arguments: JSON.stringify({ command, description: "Run it" }) };
    return chatStream(
      { tool_calls: [{ index: 0, id: `call_${number}`, type: "function", function: call }] },
      "tool_calls",
    );
  },
  say: (words) => chatStream({ content: words }, "stop"),
};

function chatStream(delta, finishReason) {
  const chunk = { id: "chat_1", object: "chat.completion.chunk", created: 1, model: "stand-in" };
  const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
  return [
    { data: { ...chunk, choices: [{ index: 0, delta: { role: "assistant", ...delta }, finish_reason: null }] } },
    { data: { ...chunk, choices: [{ index: 0, delta: {}, finish_reason: finishReason }], usage } },
    { data: "[DONE]" },
  ];
}

const APIS = [anthropic, openaiResponses, gemini, chatCompletions];
