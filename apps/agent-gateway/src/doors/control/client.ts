import { request } from "node:http";
import { createTRPCClient, httpLink, type TRPCClient, unstable_localLink } from "@trpc/client";
import type { Settings } from "../../env.ts";
import { GatewayError } from "../../errors.ts";
import type { AppRouter } from "../trpc/router.ts";
import { controlSocketPath } from "./socket-path.ts";

export type ControlClient = TRPCClient<AppRouter>;

/**
 * Gives the command line a way to speak to Belay: over the control socket when
 * the gateway is up, on the data dir itself (under its lock) when it is down.
 */
export async function withControl<Result>(
  settings: Settings,
  use: (client: ControlClient) => Promise<Result>,
): Promise<Result> {
  const path = controlSocketPath(settings.dataDir);
  if (await answers(path)) {
    const fetch = (url: URL | RequestInfo, init?: RequestInit) => fetchOverSocket(path, String(url), init ?? {});
    return use(
      createTRPCClient<AppRouter>({
        links: [httpLink({ url: "http://belay", fetch: fetch as typeof globalThis.fetch })],
      }),
    );
  }
  const [{ openGateway }, { appRouter }] = await Promise.all([import("../../gateway.ts"), import("../trpc/router.ts")]);
  const gateway = await openGateway(settings).catch((error: unknown) => {
    if (!(error instanceof GatewayError) || error.code !== "already-running") throw error;
    throw new GatewayError(
      "already-running",
      `Something holds ${settings.dataDir} but does not answer on ${path}. If Belay is starting, try again in a moment.`,
    );
  });
  try {
    const createContext = async () => ({ caller: { type: "local" } as const, gateway });
    return await use(
      createTRPCClient<AppRouter>({ links: [unstable_localLink({ router: appRouter, createContext })] }),
    );
  } finally {
    await gateway.close();
  }
}

/** Whether a gateway runs on this data dir, and listens to the command line. */
export function isGatewayUp(dataDir: string): Promise<boolean> {
  return answers(controlSocketPath(dataDir));
}

function answers(path: string): Promise<boolean> {
  return fetchOverSocket(path, "http://belay/gateway.me", {}).then(
    (response) => response.ok,
    () => false,
  );
}

/** `fetch` over a Unix socket, as far as tRPC's link needs it. */
function fetchOverSocket(socketPath: string, url: string, init: RequestInit): Promise<Response> {
  const { pathname, search } = new URL(url);
  return new Promise((resolve, reject) => {
    const outgoing = request(
      {
        socketPath,
        path: pathname + search,
        method: init.method ?? "GET",
        headers: Object.fromEntries(new Headers(init.headers)),
      },
      (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
        incoming.on("error", reject);
        incoming.on("end", () => resolve(new Response(Buffer.concat(chunks), { status: incoming.statusCode ?? 500 })));
      },
    );
    outgoing.on("error", reject);
    outgoing.end(typeof init.body === "string" ? init.body : undefined);
  });
}
