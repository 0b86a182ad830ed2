import type { FastifyInstance } from "fastify";
import { createProxyServer } from "httpxy";

/** In development: proxies other requests to `next dev`, including hot reload. */
export function registerConsoleDevProxy(app: FastifyInstance, target: string) {
  const proxy = createProxyServer({ target, changeOrigin: true });
  app.setNotFoundHandler((request, reply) => {
    reply.hijack();
    proxy.web(request.raw, reply.raw).catch(() => {
      if (!reply.raw.headersSent) reply.raw.writeHead(502, { "content-type": "text/plain" });
      reply.raw.end("The console is still starting; reload in a moment.\n");
    });
  });
  return proxy;
}
