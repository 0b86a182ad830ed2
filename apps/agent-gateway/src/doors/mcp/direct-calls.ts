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

/** A slower answer is sent as a stream, with keep-alives meanwhile. */
const STREAM_AFTER_MS = 5_000;
const KEEP_ALIVE_MS = 10_000;

/** A tool call that needs a single answer: no progress, and no features of the 2026 protocol. */
export function isPlainCall(request: IncomingMessage, body: unknown): body is JSONRPCRequest {
  if (request.method !== "POST" || !isJSONRPCRequest(body) || body.method !== "tools/call") return false;
  if (body.params?._meta?.progressToken !== undefined) return false;
  const { accept = "", ...headers } = request.headers;
  if (!accept.includes("application/json") || !accept.includes("text/event-stream")) return false;
  const version = one(headers["mcp-protocol-version"]);
  if (version !== undefined && !SUPPORTED_PROTOCOL_VERSIONS.includes(version)) return false;
  // Only an envelope in `_meta` makes it a request of the 2026 protocol.
  if (body.params?._meta === undefined) return true;
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
 * Tool calls on one persistent server, instead of a new one for each call, with plain JSON answers if they come soon.
 * Building servers and streams took longer than running an agent's command.
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
    const leave = () => gone.abort();
    response.once("close", leave);
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
      response.off("close", leave);
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

/** Multiplexes the calls of many clients: each gets a unique id here, independent of the id that the client used. */
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

  /** Routes an answer by its internal id to its caller. Nothing else is sent on this transport. */
  async send(message: JSONRPCMessage): Promise<void> {
    if ("id" in message && typeof message.id === "number") this.#waiting.get(message.id)?.(message);
  }

  /** Null if the caller no longer waits for the answer. */
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
