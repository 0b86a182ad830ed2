import { request as httpRequest, type IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";
import { CONTROL_TOKEN_HEADER } from "../control/control-token-header.ts";
import { EventStream } from "./event-stream.ts";

/** Sends one message and forwards every message that comes back until the response is complete. */
export type Post = (
  body: string,
  headers: Record<string, string>,
  signal: AbortSignal,
  onMessage: (text: string) => void,
) => Promise<void>;

export type GatewayAddress =
  | { type: "url"; url: URL; token: string }
  /** On the same machine: the control token allows the client to choose an agent, whose name is in the address. */
  | { type: "socket"; path: string; url: URL; controlToken: string };

export function createPost(address: GatewayAddress): Post {
  return async (body, headers, signal, onMessage) => {
    const response = await send(address, body, headers, signal);
    const type = response.headers["content-type"] ?? "";
    if (type.startsWith("text/event-stream")) {
      const events = new EventStream(onMessage);
      response.setEncoding("utf8");
      for await (const chunk of response) events.push(chunk as string);
      return;
    }
    const text = await readAll(response);
    const status = response.statusCode ?? 500;
    if (status >= 400 && !isJsonRpc(text)) throw new Error(`Belay refused it (${status}): ${messageIn(text)}`);
    if (text !== "") onMessage(text);
  };
}

function send(
  address: GatewayAddress,
  body: string,
  headers: Record<string, string>,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const { url } = address;
  const options = {
    method: "POST",
    signal,
    headers: {
      ...headers,
      "content-type": "application/json",
      "content-length": Buffer.byteLength(body),
      accept: "application/json, text/event-stream",
      ...(address.type === "url"
        ? { authorization: `Bearer ${address.token}` }
        : { [CONTROL_TOKEN_HEADER]: address.controlToken }),
    },
  };
  return new Promise((resolve, reject) => {
    const outgoing =
      address.type === "socket"
        ? httpRequest({ ...options, socketPath: address.path, path: url.pathname + url.search })
        : (url.protocol === "https:" ? httpsRequest : httpRequest)(url, options);
    outgoing.on("response", resolve);
    outgoing.on("error", (error: NodeJS.ErrnoException) => {
      const where = address.type === "socket" ? address.path : url.origin;
      reject(new Error(`Belay does not answer at ${where} (${error.code ?? error.message}). Is it running?`));
    });
    outgoing.end(body);
  });
}

async function readAll(response: IncomingMessage): Promise<string> {
  response.setEncoding("utf8");
  let text = "";
  for await (const chunk of response) text += chunk;
  return text;
}

function isJsonRpc(text: string): boolean {
  return /"jsonrpc"\s*:/.test(text);
}

function messageIn(text: string): string {
  try {
    return String((JSON.parse(text) as { message?: unknown }).message ?? text);
  } catch {
    return text.slice(0, 200); // not from Belay: a proxy answered
  }
}
