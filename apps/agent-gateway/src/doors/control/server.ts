import { chmod, rm } from "node:fs/promises";
import { createServer } from "node:http";
import { createHTTPHandler } from "@trpc/server/adapters/standalone";
import type { Gateway } from "../../gateway.ts";
import type { McpEndpoint } from "../mcp/endpoint.ts";
import { appRouter } from "../trpc/router.ts";
import { createLocalMcp } from "./local-mcp.ts";
import { controlSocketPath } from "./socket-path.ts";

export interface ControlServer {
  close(): Promise<void>;
}

/**
 * The same procedures for the command line, on a socket that only the owner of
 * the data dir can open. Whoever can open it could read the database as well.
 */
export async function startControlServer(gateway: Gateway, mcp: McpEndpoint): Promise<ControlServer> {
  const path = controlSocketPath(gateway.settings.dataDir);
  // The lock says that nobody else listens here: what is left is from a gateway that was killed.
  await rm(path, { force: true });
  const serveCommands = createHTTPHandler({
    router: appRouter,
    createContext: async () => ({ caller: { type: "local" } as const, gateway }),
  });
  const serveMcp = createLocalMcp(gateway, mcp);
  const server = createServer((request, response) =>
    request.url?.startsWith("/mcp?") ? void serveMcp(request, response) : serveCommands(request, response),
  );
  const umask = process.umask(0o177);
  try {
    await new Promise<void>((resolve, reject) => server.once("error", reject).listen(path, resolve));
  } finally {
    process.umask(umask);
  }
  await chmod(path, 0o600);
  return {
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
