import { z } from "zod";
import { DESCRIPTIONS } from "./descriptions.ts";
import { SecuritySettings } from "./schema.ts";

interface Schema {
  description?: string;
  properties?: Record<string, Schema>;
  additionalProperties?: Schema | boolean;
  items?: Schema;
}

/** The schema of `security.json` for editors: completion, hints and inline errors. */
export function securityFileSchema(): Record<string, unknown> {
  const schema = z.toJSONSchema(SecuritySettings, { io: "input", unrepresentable: "any" });
  describe(schema as Schema, "");
  return { ...schema, title: "Belay security.json", allowComments: true, allowTrailingCommas: true };
}

/** Adds the description of each setting that does not describe itself. */
function describe(schema: Schema, path: string): void {
  const known = DESCRIPTIONS[path];
  if (known !== undefined) schema.description ??= known;
  const inner = (key: string) => (path === "" ? key : `${path}.${key}`);
  for (const [key, property] of Object.entries(schema.properties ?? {})) describe(property, inner(key));
  if (typeof schema.additionalProperties === "object") describe(schema.additionalProperties, inner("*"));
  if (schema.items?.properties) describe(schema.items, inner("*"));
}
