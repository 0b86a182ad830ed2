import type { IncomingMessage, ServerResponse } from "node:http";
import { json } from "node:stream/consumers";
import { createHTTPHandler } from "@trpc/server/adapters/standalone";
import { z } from "zod";
import { GatewayError } from "../../errors.ts";
import type { Gateway } from "../../gateway.ts";
import { CommandLineSessions } from "../../people/command-line-sessions.ts";
import type { McpEndpoint } from "../mcp/endpoint.ts";
import { appRouter } from "../trpc/router.ts";
import { loadControlToken } from "./control-token.ts";
import { ClientIdentity } from "./identify-client.ts";
import { createLocalHooks } from "./local-hooks.ts";
import { createLocalMcp } from "./local-mcp.ts";
import { type OpenSocket, openSocket } from "./open-socket.ts";
import { ProcessProof } from "./process-proof.ts";
import { controlSocketPath } from "./socket-path.ts";

export type ControlServer = OpenSocket;

const Credentials = z.strictObject({ email: z.string().max(200), password: z.string().max(1000) });

/**
 * The same procedures for the command line, on a socket in the data folder. Opening it does not identify the client as
 * a person or a script: `identify-client.ts` does.
 *
 * `mcp` is null if Belay is stopped, and the command line works on the data folder directly.
 */
export async function startControlServer(gateway: Gateway, mcp: McpEndpoint | null): Promise<ControlServer> {
  const path = controlSocketPath(gateway.settings.dataDir);
  const identity = new ClientIdentity({
    people: gateway.people,
    sessions: new CommandLineSessions({ people: gateway.people, now: () => performance.now() }),
    proof: new ProcessProof(),
    controlToken: loadControlToken(gateway.settings.dataDir),
    ownPids: () => gateway.policy.current.context.own?.processIds ?? [],
    isStopped: mcp === null,
  });
  const serveCommands = createHTTPHandler({
    router: appRouter,
    createContext: async ({ req }) => ({ caller: await identity.callerOf(req), gateway, headers: req.headers }),
  });
  const serveMcp = mcp && createLocalMcp(gateway, mcp);
  const serveHooks = createLocalHooks(gateway);
  const serve = (request: IncomingMessage, response: ServerResponse) => {
    if (serveMcp && request.url?.startsWith("/mcp?")) {
      if (identity.hasControlToken(request)) return void serveMcp(request, response);
      return answer(response, 401, { message: "This program may not read Belay's control token." });
    }
    if (request.url?.startsWith("/hooks/") && mcp) {
      if (identity.hasControlToken(request)) return void serveHooks(request, response);
      return answer(response, 401, { message: "This program may not read Belay's control token." });
    }
    if (request.url === "/challenge") return answer(response, 200, { word: identity.challenge(request) });
    if (request.url === "/sign-in") return void signIn(request, response, identity);
    if (request.url === "/sign-out") return void signOut(request, response, identity);
    serveCommands(request, response);
  };
  return openSocket(path, serve, (error) => gateway.log.error({ err: error }, "the control socket"));
}

async function signIn(request: IncomingMessage, response: ServerResponse, identity: ClientIdentity): Promise<void> {
  try {
    const credentials = Credentials.safeParse(await json(request).catch(() => null));
    if (!credentials.success) return answer(response, 400, { message: "Send an address and a password." });
    const found = await identity.signIn(request, credentials.data);
    if (!found) return answer(response, 401, { message: "That address and password do not match." });
    const { name, email, role } = found.signedIn.person;
    answer(response, 200, { name, email, role, isRemembered: found.isRemembered });
  } catch (error) {
    const isExpected = error instanceof GatewayError;
    answer(response, isExpected ? 429 : 500, { message: isExpected ? error.message : "Signing in failed." });
  }
}

async function signOut(request: IncomingMessage, response: ServerResponse, identity: ClientIdentity): Promise<void> {
  const wasSignedIn = await identity.signOut(request).catch(() => false);
  answer(response, 200, { wasSignedIn });
}

function answer(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}
