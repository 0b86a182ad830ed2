import { readFileSync } from "node:fs";
import { type RequestOptions, request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { CONTROL_TOKEN_HEADER } from "../../control/control-token-header.ts";
import { controlSocketPath } from "../../control/socket-path.ts";
import type { HookReply } from "../hook-form.ts";
import { HOOK_REPLY } from "../hook-reply-type.ts";
import type { HookEnv } from "./env.ts";

export interface HookQuestion {
  client: string;
  agent: string;
  timeoutS: number;
  /** The client's own call, as it came on stdin. */
  payload: string;
}

/** Nothing listens there. */
export class NoGateway extends Error {
  override readonly name = "NoGateway";
}

/** Asks the gateway on this machine over its control socket, or the one that the environment names. */
export async function askGateway(question: HookQuestion, env: HookEnv): Promise<HookReply> {
  const { status, text } = await post(question, env);
  const reply = parse(text);
  if (status === 200) return reply as HookReply;
  throw new Error((reply as { message?: string }).message ?? `Belay answered with the status ${status}.`);
}

function post(question: HookQuestion, env: HookEnv): Promise<{ status: number; text: string }> {
  const { client, agent, timeoutS, payload } = question;
  const query = new URLSearchParams({ timeout: String(timeoutS), ...(env.remote ? {} : { agent }) });
  const path = `/hooks/${client}?${query}`;
  const headers = { "content-type": "application/json", accept: HOOK_REPLY };
  return new Promise((resolve, reject) => {
    const { request, options } = env.remote ? toUrl(env.remote, path) : toSocket(env.dataDir, path);
    const outgoing = request(
      { ...options, method: "POST", headers: { ...headers, ...options.headers } },
      (incoming) => {
        let text = "";
        incoming.setEncoding("utf8");
        incoming.on("data", (chunk) => (text += chunk));
        incoming.on("error", reject);
        incoming.on("end", () => resolve({ status: incoming.statusCode ?? 500, text }));
      },
    );
    outgoing.on("error", (error: NodeJS.ErrnoException) => {
      const isAbsent = error.code === "ENOENT" || error.code === "ECONNREFUSED";
      reject(isAbsent ? new NoGateway("no gateway is running") : error);
    });
    outgoing.end(payload);
  });
}

interface Target {
  request: typeof requestHttp;
  options: RequestOptions & { headers: Record<string, string> };
}

function toUrl({ url, token }: NonNullable<HookEnv["remote"]>, path: string): Target {
  const { protocol, hostname, port, pathname } = new URL(url);
  return {
    request: protocol === "https:" ? requestHttps : requestHttp,
    options: {
      protocol,
      hostname,
      port,
      path: pathname.replace(/\/$/, "") + path,
      headers: { authorization: `Bearer ${token}` },
    },
  };
}

function toSocket(dataDir: string, path: string): Target {
  const headers = { [CONTROL_TOKEN_HEADER]: readControlToken(dataDir) };
  return { request: requestHttp, options: { socketPath: controlSocketPath(dataDir), path, headers } };
}

function readControlToken(dataDir: string): string {
  try {
    return readFileSync(`${dataDir}/keys/control-token`, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") throw new NoGateway("Belay was never started here");
    throw new Error(
      `Belay's control token in ${dataDir} cannot be read. Run the client as the user that Belay runs as.`,
    );
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error("what answered is not Belay");
  }
}
