import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";

/** An agent over MCP, with the official client. */
export class TestAgent {
  readonly client: Client;

  private constructor(client: Client) {
    this.client = client;
  }

  static async connect(url: string, token: string, toolset?: string): Promise<TestAgent> {
    const client = new Client({ name: "test-agent", version: "1.0.0" });
    const endpoint = new URL("/mcp", url);
    if (toolset) endpoint.searchParams.set("toolset", toolset);
    const transport = new StreamableHTTPClientTransport(endpoint, {
      requestInit: { headers: { authorization: `Bearer ${token}` } },
    });
    await client.connect(transport);
    return new TestAgent(client);
  }

  /** Calls a tool and gives its structured reply. */
  async call(name: string, args: Record<string, unknown>): Promise<Record<string, unknown> & { isError: boolean }> {
    const result = await this.client.callTool({ name, arguments: args });
    return { ...(result.structuredContent as Record<string, unknown>), isError: result.isError === true };
  }

  close(): Promise<void> {
    return this.client.close();
  }
}
