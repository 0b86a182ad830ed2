import { existsSync } from "node:fs";
import { join } from "node:path";
import fastifyStatic from "@fastify/static";
import type { FastifyInstance } from "fastify";

/** Only their own files: no inline script or style, no other site. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  ...["script-src", "style-src", "img-src", "connect-src"].map((kind) => `${kind} 'self'`),
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** `/docs`: the documentation of this version, readable without a network and without signing in. */
export async function registerDocs(app: FastifyInstance, docsDir: string): Promise<void> {
  // Only a build creates it; it is missing when this runs from source.
  if (!existsSync(join(docsDir, "index.html"))) return;
  app.get("/docs", (_request, reply) => reply.redirect("/docs/"));
  await app.register(fastifyStatic, {
    root: docsDir,
    prefix: "/docs/",
    decorateReply: false,
    setHeaders: (reply) => {
      reply.setHeader("content-security-policy", CONTENT_SECURITY_POLICY);
    },
  });
}
