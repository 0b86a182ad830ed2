import type { IncomingHttpHeaders } from "node:http";
import { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { type FastifyTRPCPluginOptions, fastifyTRPCPlugin } from "@trpc/server/adapters/fastify";
import Fastify, { type FastifyInstance } from "fastify";
import type { Gateway } from "../../gateway.ts";
import { DOCS_DIR } from "../../paths.ts";
import { registerHooks } from "../hooks/http-hooks.ts";
import { JoinServer } from "../machines/join-server.ts";
import type { McpEndpoint } from "../mcp/endpoint.ts";
import { PortsDoor } from "../ports/ports-door.ts";
import { RelayRequests } from "../relay/relay-requests.ts";
import { StreamServer } from "../stream/server.ts";
import { type AppRouter, appRouter } from "../trpc/router.ts";
import type { AllowedHosts } from "./allowed-hosts.ts";
import { registerAuditExport } from "./audit-export.ts";
import { registerAuthRoutes } from "./auth-routes.ts";
import { guardRequests } from "./guard-requests.ts";
import { mayReadMetrics, registerHealthRoutes } from "./health-routes.ts";
import { identify } from "./identify.ts";
import { registerMcp } from "./mcp-route.ts";
import { registerConsoleDevProxy } from "./pages/console-dev-proxy.ts";
import { registerConsoleFiles } from "./pages/console-files.ts";
import { registerDocs } from "./pages/docs-files.ts";
import { registerPtySpawn } from "./pty-spawn.ts";
import { registerRecordingDownload } from "./recording-download.ts";

const MAX_BODY_BYTES = 2 * 1024 * 1024;
const REQUEST_TIMEOUT_MS = 60_000;

/** The one port: console, tRPC, WebSocket, MCP, sign-in and health. */
export async function createHttpServer(
  gateway: Gateway,
  hosts: AllowedHosts,
  { webDir, mcp }: { webDir: string; mcp: McpEndpoint },
): Promise<FastifyInstance> {
  const { publicUrl, trustedProxies } = gateway.settings;
  const app = Fastify({
    bodyLimit: MAX_BODY_BYTES,
    // Limits clients that send their request one byte at a time.
    requestTimeout: REQUEST_TIMEOUT_MS,
    // Behind a proxy, the client address is the one that the proxy reports.
    trustProxy: publicUrl === null ? false : trustedProxies,
    forceCloseConnections: true,
    routerOptions: { maxParamLength: 5000 },
  });

  const ports = new PortsDoor({ ports: gateway.ports, address: gateway.portsAddress, consoleUrl: () => gateway.url() });
  app.addHook("onRequest", (request, reply, next) => {
    if (!ports.owns(request.raw)) return next();
    reply.hijack();
    ports.handle(request.raw, reply.raw).catch(() => reply.raw.destroy());
  });
  const { relaySeal } = gateway;
  const isRelayed = ({ headers }: { headers: IncomingHttpHeaders }) => (relaySeal?.read(headers) ?? null) !== null;
  const relay = relaySeal && new RelayRequests(gateway, relaySeal);
  guardRequests(app, hosts, {
    isHttps: publicUrl?.startsWith("https:") ?? false,
    isKnown: async (request) =>
      (await identify(request.headers, gateway)).type !== "anonymous" || mayReadMetrics(request, gateway),
    isRelayed,
  });
  if (relay) {
    app.addHook("onRequest", async (request, reply) => {
      const pass = isRelayed(request) ? null : await relay.find(request.raw);
      if (!pass) return;
      reply.hijack();
      await pass(reply.raw);
    });
  }
  registerHealthRoutes(app, gateway);
  registerPtySpawn(app, gateway);
  registerAuthRoutes(app, gateway);
  await app.register(fastifyTRPCPlugin, {
    prefix: "/trpc",
    trpcOptions: {
      router: appRouter,
      // A draft of the policy does not fit into a URL.
      allowMethodOverride: true,
      createContext: async ({ req }) => ({
        caller: await identify(req.headers, gateway),
        gateway,
        headers: req.headers,
      }),
      onError: ({ error, path }) => {
        if (error.code === "INTERNAL_SERVER_ERROR") gateway.log.error({ err: error, path }, "tRPC call failed");
      },
    } satisfies FastifyTRPCPluginOptions<AppRouter>["trpcOptions"],
  });
  registerMcp(app, gateway, mcp);
  registerHooks(app, gateway);
  registerRecordingDownload(app, gateway);
  registerAuditExport(app, gateway);

  const devProxy = gateway.settings.webDevUrl ? registerConsoleDevProxy(app, gateway.settings.webDevUrl) : null;
  if (!devProxy) await registerConsoleFiles(app, webDir);
  await registerDocs(app, DOCS_DIR);

  const streams = new StreamServer(gateway);
  const joins = new JoinServer(gateway);
  const upgraded = new Set<Duplex>();
  app.server.on("upgrade", (request, socket, head) => {
    upgraded.add(socket);
    socket.on("error", () => socket.destroy());
    socket.on("close", () => upgraded.delete(socket));
    if (ports.owns(request)) return void ports.upgrade(request, socket, head).catch(() => socket.destroy());
    const isFromGateway = isRelayed(request);
    if (!isFromGateway && (!hosts.allowsHost(request.headers.host) || !hosts.allowsOrigin(request.headers.origin))) {
      return void socket.end("HTTP/1.1 403 Forbidden\r\nConnection: close\r\n\r\n");
    }
    if (request.url?.split("?")[0] === "/machines/join") joins.accept(request, socket, head);
    else if (request.url?.split("?")[0] === "/ws") {
      identify(request.headers, gateway)
        .then(async (caller) => {
          const isPassedOn = !isFromGateway && (await relay?.upgrade(request, socket, head, caller));
          if (!isPassedOn) streams.accept(request, socket, head, caller);
        })
        .catch(() => socket.destroy());
    } else if (devProxy && socket instanceof Socket)
      devProxy.ws(request, socket, {}, head).catch(() => socket.destroy());
    else socket.end("HTTP/1.1 404 Not Found\r\nConnection: close\r\n\r\n");
  });
  app.addHook("preClose", async () => {
    joins.close();
    await Promise.all([streams.close(), mcp.close()]);
    // close() waits for every connection, including upgraded ones, so they are ended here.
    for (const socket of upgraded) socket.destroy();
  });
  return app;
}
