import type { Message } from "./bridge.ts";

const VERSION_KEY = "io.modelcontextprotocol/protocolVersion";
/** In the 2026 protocol, the parameter that names the subject of a call, by method. */
const NAMED_BY: Readonly<Record<string, string>> = {
  "tools/call": "name",
  "prompts/get": "name",
  "resources/read": "uri",
  "tasks/get": "taskId",
  "tasks/update": "taskId",
  "tasks/cancel": "taskId",
};

/** The headers that the HTTP binding requires for a message. */
export function headersFor({ method, params }: Message, negotiated: string | null): Record<string, string> {
  const meta = params?._meta as Record<string, unknown> | undefined;
  const version = meta?.[VERSION_KEY];
  if (typeof version !== "string") return negotiated === null ? {} : { "mcp-protocol-version": negotiated };
  const name = method === undefined ? undefined : params?.[NAMED_BY[method] ?? ""];
  return {
    "mcp-protocol-version": version,
    ...(method === undefined ? {} : { "mcp-method": method }),
    ...(typeof name === "string" ? { "mcp-name": headerValue(name) } : {}),
  };
}

/** The value itself if a header can hold it, else the protocol's encoded form. */
function headerValue(text: string): string {
  const isPlain = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(text) && !text.startsWith("=?");
  return isPlain ? text : `=?base64?${Buffer.from(text).toString("base64")}?=`;
}
