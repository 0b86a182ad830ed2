/** Runs `true` once as an agent would. */
export type RunTrue = () => Promise<void>;

/** An agent with a conversation of its own, as an MCP client of the 2025 protocol. */
export async function connectAgent(url: string, token: string): Promise<RunTrue> {
  let session: string | null = null;
  let id = 0;
  const send = async (method: string, params: object): Promise<string> => {
    const response = await fetch(`${url}/mcp`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${token}`,
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        ...(session === null ? {} : { "mcp-session-id": session, "mcp-protocol-version": "2025-06-18" }),
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: ++id, method, params }),
    });
    session ??= response.headers.get("mcp-session-id");
    return response.text();
  };
  const clientInfo = { name: "bench", version: "1.0.0" };
  await send("initialize", { protocolVersion: "2025-06-18", capabilities: {}, clientInfo });
  return async () => {
    const answer = await send("tools/call", { name: "terminal", arguments: { command: "true" } });
    if (!answer.includes("exit code 0")) throw new Error(`true did not end well: ${answer}`);
  };
}

/** Agents in turn at each of these servers, with shells that are open and warm. */
export async function connectAgents(
  servers: readonly { url: string; addAgent(name: string, profile: string): Promise<string> }[],
  count: number,
): Promise<RunTrue[]> {
  const agents: RunTrue[] = [];
  for (let at = 0; at < count; at += 1) {
    const server = servers[at % servers.length] as (typeof servers)[number];
    agents.push(await connectAgent(server.url, await server.addAgent(`bench-${at}`, "standard")));
  }
  for (const runTrue of agents) for (let run = 0; run < 3; run += 1) await runTrue();
  return agents;
}

/** How many commands a second they run, all at once, each one after another. */
export async function commandsPerSecond(agents: readonly RunTrue[], runsEach: number): Promise<number> {
  const startedAt = performance.now();
  await Promise.all(
    agents.map(async (runTrue) => {
      for (let run = 0; run < runsEach; run += 1) await runTrue();
    }),
  );
  return ((agents.length * runsEach) / (performance.now() - startedAt)) * 1000;
}
