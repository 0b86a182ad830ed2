import type { Message } from "./bridge.ts";

const VERSION_KEY = "io.modelcontextprotocol/protocolVersion";
/** Which parameter names what a call is about, in the 2026 protocol. */
const NAMED_BY: Readonly<Record<string, string>> = {
  "tools/call": "name",
  "prompts/get": "name",
  "resources/read": "uri",
  "tasks/get": "taskId",
  "tasks/update": "taskId",
  "tasks/cancel": "taskId",
};

/** What the HTTP binding wants to see of a message in its headers. */
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

/** As it is where a header can hold it, else in the form that the protocol has for the rest. */
function headerValue(text: string): string {
  const isPlain = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(text) && !text.startsWith("=?");
  return isPlain ? text : `=?base64?${Buffer.from(text).toString("base64")}?=`;
}
