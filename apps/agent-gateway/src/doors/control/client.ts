import { createTRPCClient, httpLink, type TRPCClient } from "@trpc/client";
import type { Settings } from "../../env.ts";
import { GatewayError } from "../../errors.ts";
import type { AppRouter } from "../trpc/router.ts";
import { askPerson } from "./ask-person.ts";
import { ControlConnection } from "./connection.ts";
import { readControlToken } from "./control-token.ts";
import { controlSocketPath } from "./socket-path.ts";

export type ControlClient = TRPCClient<AppRouter>;

/**
 * Connects the command line to Belay: over the control socket of the running gateway; otherwise to a
 * gateway that is opened on the data folder (under its lock) for this command only. Commands that need a person
 * ask for their password once, unless they signed in at the same terminal a short while ago.
 */
export function withControl<Result>(
  settings: Settings,
  use: (client: ControlClient) => Promise<Result>,
): Promise<Result> {
  return withConnection(settings, (connection) => {
    const fetch = async (url: URL | RequestInfo, init?: RequestInit) => {
      const response = await connection.fetch(String(url), init ?? {});
      if (response.status !== 401 || connection.isSignedIn) return response;
      const credentials = await askPerson();
      if (!credentials) return response;
      await connection.signIn(credentials);
      return connection.fetch(String(url), init ?? {});
    };
    const link = httpLink({ url: "http://belay", fetch: fetch as typeof globalThis.fetch });
    return use(createTRPCClient<AppRouter>({ links: [link] }));
  });
}

/** The same without procedures, for signing in and out. */
export async function withConnection<Result>(
  settings: Settings,
  use: (connection: ControlConnection) => Promise<Result>,
): Promise<Result> {
  const path = controlSocketPath(settings.dataDir);
  const stopped = (await isGatewayUp(settings.dataDir)) ? null : await openStopped(settings, path);
  const connection = new ControlConnection(path, await readControlToken(settings.dataDir));
  try {
    return await use(connection);
  } finally {
    connection.close();
    await stopped?.close();
  }
}

/** Whether a gateway runs on this data folder and accepts the command line. */
export async function isGatewayUp(dataDir: string): Promise<boolean> {
  const connection = new ControlConnection(controlSocketPath(dataDir), null);
  try {
    return await connection.answers();
  } catch (error) {
    if (error instanceof GatewayError) throw error;
    return false; // nothing listens there
  } finally {
    connection.close();
  }
}

async function openStopped(settings: Settings, path: string): Promise<{ close(): Promise<void> }> {
  const [{ openGateway }, { startControlServer }] = await Promise.all([
    import("../../open-gateway.ts"),
    import("./server.ts"),
  ]);
  const gateway = await openGateway(settings).catch((error: unknown) => {
    if (!(error instanceof GatewayError) || error.code !== "already-running") throw error;
    throw new GatewayError(
      "already-running",
      `Something holds ${settings.dataDir} but does not answer on ${path}. If Belay is starting, try again in a moment.`,
    );
  });
  const control = await startControlServer(gateway, null).catch(async (error: unknown) => {
    await gateway.close();
    throw error;
  });
  return {
    close: async () => {
      await control.close();
      await gateway.close();
    },
  };
}
