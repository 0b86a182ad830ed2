import { securityFileSchema } from "@belay/policy";

interface Schema {
  type?: string | string[];
  description?: string;
  default?: unknown;
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  minimum?: number;
  maximum?: number;
  items?: Schema;
  properties?: Record<string, Schema>;
  additionalProperties?: Schema | boolean;
}

const LONGEST_DEFAULT = 60;

/** Every key of `security.json`, from the schema that reads it. */
export function policyPage(): string {
  const rows = keysOf(securityFileSchema() as Schema, "").map(
    ([key, schema]) => `| \`${key}\` | ${typeOf(schema)} | ${defaultOf(schema)} | ${cell(schema.description ?? "")} |`,
  );
  return `# Every key of security.json

Generated from the schema. \`*\` stands for a name of your own or a number in a list. A key that does not exist is an error that names it, with line and column.
[Write a policy](../policy.md) shows how they work together.

| key | type | default | what |
| --- | --- | --- | --- |
${rows.join("\n")}
`;
}

function keysOf(schema: Schema, path: string): [string, Schema][] {
  const inner = (key: string) => (path === "" ? key : `${path}.${key}`);
  const own = Object.entries(schema.properties ?? {}).flatMap(([key, property]) => entry(inner(key), property));
  const named = typeof schema.additionalProperties === "object" ? entry(inner("*"), schema.additionalProperties) : [];
  return [...own, ...named];
}

/** Groups have no row of their own: their keys explain them. */
function entry(path: string, schema: Schema): [string, Schema][] {
  if (schema.items?.properties) return [[path, schema], ...keysOf(schema.items, `${path}.*`)];
  if (schema.properties || typeof schema.additionalProperties === "object") return keysOf(schema, path);
  return [[path, schema]];
}

function typeOf(schema: Schema): string {
  if (schema.enum) return schema.enum.map((value) => `\`${String(value)}\``).join(", ");
  if (schema.const !== undefined) return `\`${String(schema.const)}\``;
  if (schema.anyOf) return [...new Set(schema.anyOf.map(typeOf))].join(" or ");
  if (schema.type === "array")
    return schema.items?.properties ? "list of objects" : `list of ${typeOf(schema.items ?? {})}`;
  return String(schema.type ?? "any");
}

function defaultOf({ default: value }: Schema): string {
  if (value === undefined) return "";
  const text = JSON.stringify(value);
  if (text.length <= LONGEST_DEFAULT) return `\`${cell(text)}\``;
  return Array.isArray(value) ? `${value.length} built-in entries` : "built-in";
}

function cell(text: string): string {
  return text.replaceAll("|", "\\|").replaceAll("\n", " ");
}
