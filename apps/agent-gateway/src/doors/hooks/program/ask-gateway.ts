import { controlSocketPath } from "../../control/socket-path.ts";
import type { HookReply } from "../hook-form.ts";
import type { HookEnv } from "./env.ts";
import { postToSocket } from "./post-to-socket.ts";
import { gatewayHangs } from "./watch-gateway.ts";

export interface HookQuestion {
  client: string;
  agent: string;
  timeoutS: number;
  /** The client's own call, from stdin. */
  payload: string;
}

/** Asks the gateway on this machine over its control socket, or the one that the environment names. */
export async function askGateway({ client, agent, timeoutS, payload }: HookQuestion, env: HookEnv): Promise<HookReply> {
  const query = new URLSearchParams({ timeout: String(timeoutS), ...(env.remote ? {} : { agent }) });
  const { status, text } = await Promise.race([
    post(`/hooks/${client}?${query}`, payload, env),
    gatewayHangs(() => post("/healthz", "{}", env)),
  ]);
  const reply = parse(text);
  if (status === 200) return reply as HookReply;
  throw new Error((reply as { message?: string }).message ?? `Belay answered with the status ${status}.`);
}

async function post(
  path: string,
  payload: string,
  { remote, dataDir }: HookEnv,
): Promise<{ status: number; text: string }> {
  if (!remote) return postToSocket(controlSocketPath(dataDir), path, dataDir, payload);
  // Loading HTTP takes longer than everything else, and most gateways are on this machine.
  const { postToUrl } = await import("./post-to-url.ts");
  return postToUrl(new URL(remote.url.replace(/\/$/, "") + path), remote.token, payload);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error("the answer did not come from Belay");
  }
}
