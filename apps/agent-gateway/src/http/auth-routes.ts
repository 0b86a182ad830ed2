import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { GatewayError } from "../errors.ts";
import type { Gateway } from "../gateway.ts";
import { CLIENT_ADDRESS_HEADER, MIN_PASSWORD_LENGTH } from "../people/people.ts";

const Claim = z.strictObject({
  token: z.string().max(128),
  name: z.string().trim().min(1).max(100),
  email: z.email(),
  password: z.string().min(MIN_PASSWORD_LENGTH, `needs at least ${MIN_PASSWORD_LENGTH} characters`).max(128),
});

/** Signing in (better-auth's own routes) and the link that makes the first admin. */
export function registerAuthRoutes(app: FastifyInstance, gateway: Gateway): void {
  app.route({
    method: ["GET", "POST"],
    url: "/api/auth/*",
    handler: async (request, reply) => answer(await gateway.people.handle(toWebRequest(request)), reply),
  });

  app.post("/api/setup", async (request, reply) => {
    const claim = Claim.safeParse(request.body);
    if (!claim.success) {
      const [issue] = claim.error.issues;
      return reply.code(400).send({ message: `${issue?.path.join(".")}: ${issue?.message}` });
    }
    try {
      const { token, ...person } = claim.data;
      return await gateway.firstAdmin.claim(token, person);
    } catch (error) {
      if (error instanceof GatewayError) return reply.code(403).send({ message: error.message });
      throw error;
    }
  });
}

function toWebRequest(request: FastifyRequest): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    if (name !== "content-length" && value !== undefined) headers.set(name, String(value));
  }
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
  return reply.send(Buffer.from(await response.arrayBuffer()));
}
