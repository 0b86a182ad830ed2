import { request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { HOOK_REPLY } from "../hook-reply-type.ts";
import { NoGateway } from "./post-to-socket.ts";

/** The same to another machine's gateway, with an agent's token. */
export function postToUrl(url: URL, token: string, payload: string): Promise<{ status: number; text: string }> {
  const headers = { "content-type": "application/json", accept: HOOK_REPLY, authorization: `Bearer ${token}` };
  const request = url.protocol === "https:" ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { method: "POST", headers }, (incoming) => {
      let text = "";
      incoming.setEncoding("utf8");
      incoming.on("data", (chunk) => (text += chunk));
      incoming.on("error", reject);
      incoming.on("end", () => resolve({ status: incoming.statusCode ?? 500, text }));
    });
    outgoing.on("error", (error: NodeJS.ErrnoException) => {
      reject(error.code === "ECONNREFUSED" ? new NoGateway(`nothing answers at ${url.origin}`) : error);
    });
    outgoing.end(payload);
  });
}
