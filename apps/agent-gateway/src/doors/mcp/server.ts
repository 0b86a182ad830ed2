import { McpServer } from "@modelcontextprotocol/server";
import { VERSION } from "../../version.ts";
import { registerOutputResources } from "./output/output-resources.ts";
import { registerTasks } from "./tasks.ts";
import type { ToolHost } from "./tool-call.ts";
import { type Toolset, toolsets } from "./toolset.ts";

const INSTRUCTIONS =
  "Use this for shell commands: real terminals with a person watching. Every command is judged by a policy: it runs, it is refused with a reason, or it " +
  "waits until a person approves it. Waiting is normal: poll with the handle of the reply instead of sending the " +
  "command again, and do not try to work around a refusal; use the safer way that it names, or ask the person.";

/** A server for one request of one agent, with the requested tools. */
export function createServer(
  host: ToolHost,
  { toolset, isModern }: { toolset: Toolset; isModern: boolean },
): McpServer {
  const server = new McpServer({ name: "belay", version: VERSION }, { instructions: INSTRUCTIONS });
  for (const register of toolsets[toolset]) register(server, host);
  registerOutputResources(server, host);
  if (isModern) {
    // In the 2025 protocol both need a persistent connection, and requests here are stateless.
    server.server.registerCapabilities({ resources: { subscribe: true } });
    registerTasks(server, host);
  }
  return server;
}
