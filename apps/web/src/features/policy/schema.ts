/** The part of JSON Schema that the policy file uses. */
export interface JsonSchema {
  type?: "object" | "array" | "string" | "integer" | "number" | "boolean" | "null";
  description?: string;
  default?: unknown;
  enum?: readonly string[];
  properties?: Readonly<Record<string, JsonSchema>>;
  additionalProperties?: JsonSchema | boolean;
  items?: JsonSchema;
  anyOf?: readonly JsonSchema[];
  required?: readonly string[];
  minimum?: number;
  maximum?: number;
}

/** The schema at a path; null if nothing is allowed there. */
export function schemaAt(schema: JsonSchema, path: readonly (string | number)[]): JsonSchema | null {
  let here: JsonSchema | null = schema;
  for (const step of path) {
    if (here === null) return null;
    here = inner(here, step);
  }
  return here;
}

function inner(schema: JsonSchema, step: string | number): JsonSchema | null {
  if (typeof step === "number") return schema.items ?? schema.anyOf?.find(({ items }) => items)?.items ?? null;
  const named = schema.properties?.[step];
  if (named) return named;
  return typeof schema.additionalProperties === "object" ? schema.additionalProperties : null;
}

/** The integer or text behind "this or null". */
export function withoutNull(schema: JsonSchema): { schema: JsonSchema; mayBeNull: boolean } {
  const others = schema.anyOf?.filter(({ type }) => type !== "null") ?? [];
  const mayBeNull = schema.anyOf?.some(({ type }) => type === "null") ?? false;
  const [only] = others;
  return mayBeNull && only && others.length === 1
    ? { schema: { ...schema, ...only }, mayBeNull }
    : { schema, mayBeNull: false };
}

/** `spawnsPerMinute` in plain words. */
export function labelOf(key: string): string {
  const words = key
    .replace(/Ms$/, "")
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** A default, short enough to show beside a field. */
export function defaultWords(schema: JsonSchema, key: string): string {
  const value = schema.default;
  if (value === undefined) return "not set";
  if (value === null) return "never";
  if (Array.isArray(value))
    return value.length === 0 ? "none" : value.length > 3 ? `${value.length} built in` : value.join(", ");
  if (typeof value === "boolean") return value ? "on" : "off";
  if (typeof value === "number" && key.endsWith("Ms")) return durationWords(value);
  return String(value) === "" ? "empty" : String(value);
}

export function durationWords(ms: number): string {
  if (ms % 3_600_000 === 0 && ms > 0) return `${ms / 3_600_000} h`;
  if (ms % 60_000 === 0 && ms > 0) return `${ms / 60_000} min`;
  return ms % 1_000 === 0 ? `${ms / 1_000} s` : `${ms} ms`;
}
