import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { GatewayError } from "../../errors.ts";
import type { Gateway } from "../../gateway.ts";
import { CLIENT_ADDRESS_HEADER } from "../../people/auth.ts";
import { INVITATION_PREFIX } from "../../people/invitations.ts";

const Claim = z.strictObject({
  token: z.string().max(128),
  name: z.string().trim().min(1).max(100),
  email: z.email().max(200),
  password: z.string().max(1000),
});

/** Only these of better-auth's routes are exposed; everything else about people goes through tRPC, which checks roles. */
const OPEN_ROUTES = [
  { method: "POST", url: "/api/auth/sign-in/email" },
  { method: "POST", url: "/api/auth/sign-in/social" },
  { method: ["GET", "POST"], url: "/api/auth/callback/:provider" },
  { method: "POST", url: "/api/auth/sign-out" },
  { method: "GET", url: "/api/auth/get-session" },
  { method: "POST", url: "/api/auth/change-password" },
  { method: "GET", url: "/api/auth/error" },
  { method: "GET", url: "/api/auth/ok" },
] as const;

const CLAIMS = { window: 60, max: 10 };

/** Signing in (better-auth's own routes), and links that create an account: the first admin's, and invitations. */
export function registerAuthRoutes(app: FastifyInstance, gateway: Gateway): void {
  for (const { method, url } of OPEN_ROUTES) {
    app.route({
      method: typeof method === "string" ? method : [...method],
      url,
      handler: async (request, reply) => answer(await gateway.people.handle(toWebRequest(request)), reply),
    });
  }

  app.post("/api/setup", async (request, reply) => {
    const { allowed, retryAfter } = await gateway.limits.rateLimit.consume(`${request.ip} /api/setup`, CLAIMS);
    if (!allowed) {
      return reply
        .code(429)
        .header("retry-after", String(retryAfter))
        .send({ message: "Too many tries. Wait a minute." });
    }
    const claim = Claim.safeParse(request.body);
    if (!claim.success) {
      const [issue] = claim.error.issues;
      return reply.code(400).send({ message: `${issue?.path.join(".")}: ${issue?.message}` });
    }
    try {
      const { token, ...person } = claim.data;
      const claimed = token.startsWith(INVITATION_PREFIX)
        ? gateway.invitations.accept(token, person)
        : gateway.firstAdmin.claim(token, person);
      return await claimed;
    } catch (error) {
      if (!(error instanceof GatewayError)) throw error;
      return reply.code(error.code === "weak-password" ? 400 : 403).send({ message: error.message });
    }
  });
}

function toWebRequest(request: FastifyRequest): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    if (name !== "content-length" && value !== undefined) headers.set(name, String(value));
  }
  // The site of the request was checked before. Node's fetch sends only some of the browser's headers, and
  // better-auth would reject that as a suspicious browser.
  if (!headers.has("sec-fetch-site")) for (const name of ["sec-fetch-mode", "sec-fetch-dest"]) headers.delete(name);
  headers.set(CLIENT_ADDRESS_HEADER, request.ip);
  return new Request(new URL(request.url, `${request.protocol}://${request.host}`), {
    method: request.method,
    headers,
    ...(request.body === undefined || request.method === "GET" ? {} : { body: JSON.stringify(request.body) }),
  });
}

async function answer(response: Response, reply: FastifyReply): Promise<FastifyReply> {
  reply.code(response.status);
  for (const [name, value] of response.headers) if (name !== "set-cookie") reply.header(name, value);
  for (const cookie of response.headers.getSetCookie()) reply.header("set-cookie", cookie);
  reply.header("cache-control", "no-store");
  return reply.send(Buffer.from(await response.arrayBuffer()));
}
