import {
  Client,
  type ClientOptions,
  StreamableHTTPClientTransport,
  type Transport,
} from "@modelcontextprotocol/client";

/** The revision of the protocol: 2025 or 2026. */
export type Era = "2025" | "2026";

type Reply = Record<string, unknown> & { isError: boolean };

/** An agent over MCP, with the official client. */
export class TestAgent {
  readonly client: Client;

  private constructor(client: Client) {
    this.client = client;
  }

  static connect(
    url: string,
    token: string,
    toolset?: string,
    { query = {}, ...options }: { era?: Era; query?: Record<string, string> } & ClientOptions = {},
  ): Promise<TestAgent> {
    const endpoint = new URL("/mcp", url);
    for (const [name, value] of Object.entries(query)) endpoint.searchParams.set(name, value);
    if (toolset) endpoint.searchParams.set("toolset", toolset);
    if (query.structured === undefined) endpoint.searchParams.set("structured", "1");
    const transport = new StreamableHTTPClientTransport(endpoint, {
      requestInit: { headers: { authorization: `Bearer ${token}` } },
    });
    return TestAgent.over(transport, options);
  }

  /** The transport. */
  static async over(
    transport: Transport,
    {
      era = "2025",
      onConnecting = () => {},
      ...options
    }: {
      era?: Era;
      /** Configures the client for requests that the server may send as soon as it is connected. */
      onConnecting?: (client: Client) => void;
    } & ClientOptions = {},
  ) {
    const mode = era === "2026" ? ({ pin: "2026-07-28" } as const) : ("legacy" as const);
    const client = new Client({ name: "test-agent", version: "1.0.0" }, { ...options, versionNegotiation: { mode } });
    onConnecting(client);
    await client.connect(transport);
    return new TestAgent(client);
  }

  /** Calls a tool and returns its structured reply. */
  call(name: string, args: Record<string, unknown>): Promise<Reply> {
    const reply = this.#call(name, args);
    // Tests answer questions while a call waits. One that fails meanwhile should report its own error, not that the call was cut off.
    reply.catch(() => {});
    return reply;
  }

  async #call(name: string, args: Record<string, unknown>): Promise<Reply> {
    const result = await this.client.callTool({ name, arguments: args });
    return { ...(result.structuredContent as Record<string, unknown>), isError: result.isError === true };
  }

  /** Polls a `terminal` command until it is done; on a busy machine it may take more than one call. */
  async finish(reply: Record<string, unknown>): Promise<Reply> {
    const next = await this.call("terminal", { handle_id: reply.handle_id, wait_ms: 30_000 });
    const output = [reply.output, next.output].filter((part) => part !== "").join("\n");
    return next.handle_id === undefined ? { ...next, output } : this.finish({ ...next, output });
  }

  close(): Promise<void> {
    return this.client.close();
  }
}
