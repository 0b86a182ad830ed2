import type { IncomingMessage, ServerResponse } from "node:http";
import {
  type AuthInfo,
  classifyInboundRequest,
  isJSONRPCRequest,
  type JSONRPCMessage,
  type JSONRPCRequest,
  type McpServer,
  SUPPORTED_PROTOCOL_VERSIONS,
  type Transport,
} from "@modelcontextprotocol/server";

/** An answer that takes longer than this comes as a stream, in which something is heard meanwhile. */
const STREAM_AFTER_MS = 5_000;
const KEEP_ALIVE_MS = 10_000;

/** A call of a tool that needs nothing but one answer: no progress, and nothing of the 2026 protocol. */
export function isPlainCall(request: IncomingMessage, body: unknown): body is JSONRPCRequest {
  if (request.method !== "POST" || !isJSONRPCRequest(body) || body.method !== "tools/call") return false;
  if (body.params?._meta?.progressToken !== undefined) return false;
  const { accept = "", ...headers } = request.headers;
  if (!accept.includes("application/json") || !accept.includes("text/event-stream")) return false;
  const version = one(headers["mcp-protocol-version"]);
  if (version !== undefined && !SUPPORTED_PROTOCOL_VERSIONS.includes(version)) return false;
  const given = {
    httpMethod: "POST",
    body,
    ...(version === undefined ? {} : { protocolVersionHeader: version }),
    ...(one(headers["mcp-method"]) === undefined ? {} : { mcpMethodHeader: one(headers["mcp-method"]) as string }),
    ...(one(headers["mcp-name"]) === undefined ? {} : { mcpNameHeader: one(headers["mcp-name"]) as string }),
  };
  return classifyInboundRequest(given).kind === "legacy";
}

/**
 * Calls of tools on one server that stays, instead of one that is built for each of them, and answers without a stream
 * where they come soon. Building servers and streams took an agent longer than running its command.
 */
export class DirectCalls {
  readonly #server: Promise<McpServer>;
  readonly #transport = new SharedTransport();

  constructor(server: McpServer) {
    this.#server = server.connect(this.#transport).then(() => server);
  }

  async serve(call: JSONRPCRequest, response: ServerResponse, authInfo: AuthInfo): Promise<void> {
    await this.#server;
    const gone = new AbortController();
    response.once("close", () => gone.abort());
    let stream: NodeJS.Timeout | undefined;
    const patience = setTimeout(() => {
      response.writeHead(200, STREAM_HEADERS);
      response.write(": waiting\n\n");
      stream = setInterval(() => response.write(": waiting\n\n"), KEEP_ALIVE_MS);
    }, STREAM_AFTER_MS);
    try {
      const answer = await this.#transport.ask(call, authInfo, gone.signal);
      if (answer === null) return;
      const text = JSON.stringify(answer);
      if (stream) response.end(`event: message\ndata: ${text}\n\n`);
      else response.writeHead(200, JSON_HEADERS).end(text);
    } finally {
      clearTimeout(patience);
      clearInterval(stream);
    }
  }

  async close(): Promise<void> {
    await (await this.#server).close();
  }
}

const JSON_HEADERS = { "content-type": "application/json" };
const STREAM_HEADERS = {
  "content-type": "text/event-stream",
  "cache-control": "no-cache, no-transform",
  "x-accel-buffering": "no",
};

/** Carries the calls of many clients at once: each has an id of its own here, whatever it was called outside. */
class SharedTransport implements Transport {
  onmessage?: Transport["onmessage"];
  onclose?: () => void;
  onerror?: (error: Error) => void;
  readonly #waiting = new Map<number, (answer: JSONRPCMessage | null) => void>();
  #lastId = 0;

  async start(): Promise<void> {}

  async close(): Promise<void> {
    for (const settle of this.#waiting.values()) settle(null);
    this.#waiting.clear();
    this.onclose?.();
  }

  /** What an answer says under an id of ours, for whoever asked. Nothing else is said on this way. */
  async send(message: JSONRPCMessage): Promise<void> {
    if ("id" in message && typeof message.id === "number") this.#waiting.get(message.id)?.(message);
  }

  /** Null where nobody waits for the answer any more. */
  async ask(call: JSONRPCRequest, authInfo: AuthInfo, gone: AbortSignal): Promise<JSONRPCMessage | null> {
    const id = ++this.#lastId;
    const withdraw = () => {
      this.onmessage?.({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: id } });
      this.#waiting.get(id)?.(null);
    };
    gone.addEventListener("abort", withdraw);
    try {
      const answer = await new Promise<JSONRPCMessage | null>((resolve) => {
        this.#waiting.set(id, resolve);
        this.onmessage?.({ ...call, id }, { authInfo });
      });
      return answer && { ...answer, id: call.id };
    } finally {
      gone.removeEventListener("abort", withdraw);
      this.#waiting.delete(id);
    }
  }
}

function one(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header;
}
