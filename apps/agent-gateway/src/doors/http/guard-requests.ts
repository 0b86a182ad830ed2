import type { FastifyInstance, FastifyRequest } from "fastify";
import { createRateLimit } from "../../people/rate-limit.ts";
import type { AllowedHosts } from "./allowed-hosts.ts";

/** Failed attempts to authenticate, per address. */
const FAILED_TRIES = { window: 60, max: 300 };
const IS_ANSWER = /^\/(?:trpc|api|pty|mcp|hooks|metrics|healthz|readyz)\b/;
/** Where tokens and sessions can be guessed. Health stays open to everyone, and signing in has its own limits. */
const IS_GUESSED = /^\/(?:trpc|pty|mcp|hooks|metrics|api\/(?!auth\/|setup\b))/;
const IS_HEALTH = /^\/(?:healthz|readyz)$/;
const HTTPS_ONLY = "max-age=31536000";

/** Runs before every route: checks Host and Origin, sets security headers, and limits guessing. */
export function guardRequests(
  app: FastifyInstance,
  hosts: AllowedHosts,
  options: {
    isHttps: boolean;
    isKnown: (request: FastifyRequest) => Promise<boolean>;
    /** Whether another gateway passes it on, which has checked it already. */
    isRelayed: (request: FastifyRequest) => boolean;
  },
): void {
  const failures = createRateLimit();

  app.addHook("onRequest", async (request, reply) => {
    reply.header("x-content-type-options", "nosniff").header("referrer-policy", "no-referrer");
    reply.header("x-frame-options", "DENY").header("cross-origin-opener-policy", "same-origin");
    reply.header("cross-origin-resource-policy", "same-origin");
    reply.header("permissions-policy", "camera=(), microphone=(), geolocation=(), payment=(), usb=()");
    // Responses are for this caller only and must not be cached; console files set their own lifetime.
    if (IS_ANSWER.test(request.url)) reply.header("cache-control", "no-store");
    if (options.isHttps) reply.header("strict-transport-security", HTTPS_ONLY);
    if (options.isRelayed(request)) return;
    // Load balancers and Kubernetes ask each gateway at its own address, and learn nothing but whether it works.
    if (!hosts.allowsHost(request.headers.host) && !IS_HEALTH.test(request.url)) {
      return reply
        .code(421)
        .send({ message: "This address is not one of Belay's. Set BELAY_PUBLIC_URL to the one you use." });
    }
    if (
      !hosts.allowsOrigin(request.headers.origin) ||
      isFromElsewhere(request.url, request.headers["sec-fetch-site"])
    ) {
      return reply.code(403).send({ message: "Requests from other sites are refused." });
    }
    const retryAfter = IS_GUESSED.test(request.url) ? failures.waitFor(request.ip, FAILED_TRIES) : null;
    // A client with valid credentials is not throttled because of others at the same address.
    if (retryAfter !== null && !(await options.isKnown(request))) {
      const message = "Too many requests without a valid token or session from this address. Wait a minute.";
      return reply.code(429).header("retry-after", String(retryAfter)).send({ message });
    }
  });

  app.addHook("onResponse", async (request, reply) => {
    if (reply.statusCode === 401) await failures.consume(request.ip, FAILED_TRIES);
  });
}

/** Other sites may link to a page, and an identity provider may redirect here; they may request nothing else. */
function isFromElsewhere(url: string, site: string | string[] | undefined): boolean {
  if (site !== "cross-site" && site !== "same-site") return false;
  return IS_ANSWER.test(url) && !url.startsWith("/api/auth/callback/");
}
