import { CLOSE_CODES, ClientControlFrame, ClientJsonFrame, ServerControlFrame, ServerJsonFrame } from "@belay/protocol";
import { z } from "zod";
import type { ProcedureMeta } from "./init.ts";
import { appRouter } from "./router.ts";

interface Definition {
  type: "query" | "mutation" | "subscription";
  meta?: ProcedureMeta;
  inputs: z.ZodType[];
}

interface Schema {
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: Schema | boolean;
}

const LONGEST_LIST = 8;

/** Every procedure of the API and every frame of the socket, from their schemas. */
export function apiPage(): string {
  const procedures = Object.entries(appRouter._def.procedures as unknown as Record<string, { _def: Definition }>);
  const rows = procedures
    .sort(([left], [right]) => left.localeCompare(right))
    .map(([name, { _def }]) => `| \`${name}\` | ${_def.type} | ${_def.meta?.needs ?? ""} | ${inputOf(_def)} |`);
  return `# API and WebSocket

Made from the router and the schemas.

## tRPC

At \`/trpc\`: plain JSON without a transformer, times in milliseconds since 1970, so that \`curl\` works as a client. People authenticate with their session cookie, agents with
\`Authorization: Bearer blt_…\`. A query is \`GET /trpc/NAME?input=JSON\`, a mutation \`POST /trpc/NAME\` with the JSON as its body, a subscription a stream of
server-sent events. A field with \`?\` is optional. An error has \`error.message\` for people and \`error.data.reason\` for programs.

\`\`\`sh
curl -s "http://127.0.0.1:7400/trpc/terminals.list" -H "Authorization: Bearer $BELAY_TOKEN"
\`\`\`

| procedure | kind | needs | input |
| --- | --- | --- | --- |
${rows.join("\n")}

## WebSocket

At \`/ws\`, with the same cookie or token. Without a subprotocol every message is JSON. The subprotocol \`belay.v1\` carries output as binary frames with a position, and the rest
as the control messages below; [its specification](../../packages/protocol/SPEC.md) numbers every rule.

### JSON, from the client

${frames(ClientJsonFrame)}
### JSON, from the server

${frames(ServerJsonFrame)}
### belay.v1, control messages from the client

${frames(ClientControlFrame)}
### belay.v1, control messages from the server

${frames(ServerControlFrame)}
### Close codes

| code | why |
| --- | --- |
${Object.entries(CLOSE_CODES)
  .map(([name, code]) => `| ${String(code)} | ${name} |`)
  .join("\n")}
`;
}

function inputOf({ inputs }: Definition): string {
  return inputs.length === 0 ? "" : inputs.map((input) => code(short(schemaOf(input)))).join(" and ");
}

function frames(union: z.ZodType): string {
  const { oneOf, anyOf } = schemaOf(union);
  return `${(oneOf ?? anyOf ?? []).map((frame) => `- ${code(short(frame))}`).join("\n")}\n`;
}

function schemaOf(type: z.ZodType): Schema {
  return z.toJSONSchema(type, { io: "input", unrepresentable: "any" }) as Schema;
}

/** A schema in one line of TypeScript. */
function short(schema: Schema): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return list(schema.enum.map((value) => JSON.stringify(value)));
  const union = schema.anyOf ?? schema.oneOf;
  if (union) return list([...new Set(union.map(short))]);
  if (schema.type === "array") return `${short(schema.items ?? {})}[]`;
  if (schema.properties) {
    const required = new Set(schema.required ?? []);
    const fields = Object.entries(schema.properties).map(
      ([name, field]) => `${name}${required.has(name) ? "" : "?"}: ${short(field)}`,
    );
    return fields.length === 0 ? "{}" : `{ ${fields.join(", ")} }`;
  }
  if (typeof schema.additionalProperties === "object") return `{ [name]: ${short(schema.additionalProperties)} }`;
  return Array.isArray(schema.type) ? schema.type.join(" | ") : (schema.type ?? "unknown");
}

function list(values: string[]): string {
  const shown = values.slice(0, LONGEST_LIST).join(" | ");
  return values.length > LONGEST_LIST ? `${shown} | …` : shown;
}

function code(text: string): string {
  return `\`${text.replaceAll("|", "\\|")}\``;
}
