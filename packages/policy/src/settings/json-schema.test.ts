import { expect, test } from "vitest";
import { DESCRIPTIONS } from "./descriptions.ts";
import { securityFileSchema } from "./json-schema.ts";

interface Schema {
  description?: string;
  properties?: Record<string, Schema>;
  additionalProperties?: Schema | boolean;
  items?: Schema;
}

test("W4 every setting has a one-sentence description, and no description is left over", () => {
  const found = new Map<string, string | undefined>();
  collect(securityFileSchema() as Schema, "", found);

  expect([...found].filter(([, sentence]) => !sentence?.endsWith(".")).map(([key]) => key)).toEqual([]);
  expect(Object.keys(DESCRIPTIONS).filter((key) => !found.has(key))).toEqual([]);
});

function collect(schema: Schema, path: string, found: Map<string, string | undefined>): void {
  if (path !== "" && !path.endsWith("*")) found.set(path, schema.description);
  const inner = (key: string) => (path === "" ? key : `${path}.${key}`);
  for (const [key, property] of Object.entries(schema.properties ?? {})) collect(property, inner(key), found);
  if (typeof schema.additionalProperties === "object") collect(schema.additionalProperties, inner("*"), found);
  if (schema.items?.properties) collect(schema.items, inner("*"), found);
}
