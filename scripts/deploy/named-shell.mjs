import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { ROOT } from "../run.mjs";

// Runs one command in the agent's shell of this name, which is opened if needed. A process of its own, so that it can run in another network.
const [, , url, token, session, command] = process.argv;
const require = createRequire(join(ROOT, "apps/agent-gateway/package.json"));
const { Client, StreamableHTTPClientTransport } = await import(
  pathToFileURL(require.resolve("@modelcontextprotocol/client")).href
);
const client = new Client({ name: "probe", version: "1.0.0" });
const requestInit = { headers: { authorization: `Bearer ${token}` } };
await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp?toolset=deep`), { requestInit }));
const call = (args) => client.callTool({ name: "deep_terminal", arguments: { session_id: session, ...args } });
try {
  // Refused if the shell is already open, which is fine here.
  await call({ action: "start" });
  const reply = await call({ action: "execute", command });
  const text = reply.content.map((part) => part.text).join("\n");
  console.log(text);
  if (!text.includes("exit code 0")) process.exitCode = 1;
} finally {
  await client.close();
}
