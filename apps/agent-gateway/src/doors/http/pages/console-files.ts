import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import fastifyStatic from "@fastify/static";
import type { FastifyInstance } from "fastify";
import { BELAY_START } from "../../../paths.ts";
import { loadContentSecurityPolicy } from "./content-security-policy.ts";

/** Serves the exported console. Files with a hash in their name are cached for good; pages are revalidated each time. */
export async function registerConsoleFiles(app: FastifyInstance, webDir: string): Promise<void> {
  if (!existsSync(join(webDir, "index.html"))) {
    throw new Error(
      `The console is not built (no ${join(webDir, "index.html")}). Run ${BELAY_START} in a clone, which builds it; otherwise install Belay again.`,
    );
  }
  const contentSecurityPolicy = await loadContentSecurityPolicy(webDir);
  // All other responses are `no-store`, set by a hook that runs for every request; files override it here.
  const cacheControlOf = new WeakMap<object, string>();
  app.addHook("onSend", async (_request, reply) => {
    const cacheControl = cacheControlOf.get(reply.raw);
    if (cacheControl) reply.header("cache-control", cacheControl);
  });
  await app.register(fastifyStatic, {
    root: webDir,
    cacheControl: false,
    preCompressed: true,
    setHeaders: (reply, file) => {
      const isHashed = file.includes("/_next/static/");
      cacheControlOf.set(reply, isHashed ? "public, max-age=31536000, immutable" : "no-cache");
      if (/\.html(\.br|\.gz)?$/.test(file)) reply.setHeader("content-security-policy", contentSecurityPolicy(file));
    },
  });
  // Each page has a folder of the same name beside it, so the path alone would find the folder.
  for (const page of await readdir(webDir)) {
    if (page.endsWith(".html"))
      app.get(`/${page.slice(0, -".html".length)}`, (_request, reply) => reply.sendFile(page));
  }
  app.setNotFoundHandler((request, reply) => {
    if (request.method !== "GET" || !request.headers.accept?.includes("text/html")) {
      return reply.code(404).send({ message: `Nothing at ${request.method} ${request.url.split("?")[0]}.` });
    }
    return reply.code(404).sendFile("404.html");
  });
}
