import { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { toNodeHandler } from "@modelcontextprotocol/node";
import { type FastifyTRPCPluginOptions, fastifyTRPCPlugin } from "@trpc/server/adapters/fastify";
import Fastify, { type FastifyInstance } from "fastify";
import type { Gateway } from "../gateway.ts";
import { createMcpEndpoint } from "../mcp/server.ts";
import { parseToolset } from "../mcp/toolset.ts";
import { StreamServer } from "../stream/server.ts";
import { type AppRouter, appRouter } from "../trpc/router.ts";
import type { AllowedHosts } from "./allowed-hosts.ts";
import { registerAuditExport } from "./audit-export.ts";
import { registerAuthRoutes } from "./auth-routes.ts";
import { registerConsoleDevProxy } from "./console-dev-proxy.ts";
import { registerConsoleFiles } from "./console-files.ts";
import { guardRequests } from "./guard-requests.ts";
import { registerHealthRoutes } from "./health-routes.ts";
import { identify } from "./identify.ts";
import { registerPtySpawn } from "./pty-spawn.ts";
import { registerRecordingDownload } from "./recording-download.ts";

const MAX_BODY_BYTES = 2 * 1024 * 1024;
const REQUEST_TIMEOUT_MS = 60_000;

/** The one port: console, tRPC, WebSocket, MCP, sign-in and health. */
export async function createHttpServer(
  gateway: Gateway,
  hosts: AllowedHosts,
  webDir: string,
): Promise<FastifyInstance> {
  const { publicUrl, trustedProxies } = gateway.settings;
  const app = Fastify({
    bodyLimit: MAX_BODY_BYTES,
    // Whoever sends their request a byte a minute holds nothing up for long.
    requestTimeout: REQUEST_TIMEOUT_MS,
    // Behind a proxy, the address of a request is the one that the proxy saw.
    trustProxy: publicUrl === null ? false : trustedProxies,
    forceCloseConnections: true,
    routerOptions: { maxParamLength: 5000 },
  });

  guardRequests(app, hosts, { isHttps: publicUrl?.startsWith("https:") ?? false });
  registerHealthRoutes(app, gateway);
  registerPtySpawn(app, gateway);
  registerAuthRoutes(app, gateway);
  await app.register(fastifyTRPCPlugin, {
    prefix: "/trpc",
    trpcOptions: {
      router: appRouter,
      createContext: async ({ req }) => ({ caller: await identify(req.headers, gateway), gateway }),
      onError: ({ error, path }) => {
        if (error.code === "INTERNAL_SERVER_ERROR") gateway.log.error({ err: error, path }, "tRPC call failed");
      },
    } satisfies FastifyTRPCPluginOptions<AppRouter>["trpcOptions"],
  });
  registerMcp(app, gateway);
  registerRecordingDownload(app, gateway);
  registerAuditExport(app, gateway);

  const devProxy = gateway.settings.webDevUrl ? registerConsoleDevProxy(app, gateway.settings.webDevUrl) : null;
  if (!devProxy) await registerConsoleFiles(app, webDir);

  const streams = new StreamServer(gateway);
  const upgraded = new Set<Duplex>();
  app.server.on("upgrade", (request, socket, head) => {
    upgraded.add(socket);
    socket.on("error", () => socket.destroy());
    socket.on("close", () => upgraded.delete(socket));
    if (!hosts.allowsHost(request.headers.host) || !hosts.allowsOrigin(request.headers.origin)) {
      return void socket.end("HTTP/1.1 403 Forbidden\r\nConnection: close\r\n\r\n");
    }
    if (request.url?.split("?")[0] === "/ws") {
      identify(request.headers, gateway).then(
        (caller) => streams.accept(request, socket, head, caller),
        () => socket.destroy(),
      );
    } else if (devProxy && socket instanceof Socket)
      devProxy.ws(request, socket, {}, head).catch(() => socket.destroy());
    else socket.end("HTTP/1.1 404 Not Found\r\nConnection: close\r\n\r\n");
  });
  app.addHook("preClose", async () => {
    await streams.close();
    // The server waits for every connection, also for those that no longer speak HTTP.
    for (const socket of upgraded) socket.destroy();
  });
  return app;
}

function registerMcp(app: FastifyInstance, gateway: Gateway): void {
  const endpoint = createMcpEndpoint(gateway);
  const handle = toNodeHandler(endpoint, { onerror: (error) => gateway.log.warn({ err: error }, "MCP failed") });
  app.addHook("preClose", () => endpoint.close());
  app.all("/mcp", async (request, reply) => {
    const caller = await identify(request.headers, gateway);
    if (caller.type !== "agent") {
      const message = "Send an agent's token: Authorization: Bearer blt_… (npx belay agent add NAME makes one).";
      return reply.code(401).header("www-authenticate", 'Bearer realm="belay"').send({ message });
    }
    const { agent } = caller;
    const toolset = parseToolset((request.query as Record<string, unknown>).toolset);
    if (!toolset.ok) return reply.code(400).send({ message: toolset.message });
    const auth = { token: "", clientId: agent.id, scopes: [], extra: { agent, toolset: toolset.value } };
    reply.hijack();
    // A token that ends takes along what is open with it.
    const stopWatching = gateway.access.watch(caller, () => reply.raw.destroy());
    reply.raw.once("close", stopWatching);
    await handle(Object.assign(request.raw, { auth }), reply.raw, request.body);
  });
}
