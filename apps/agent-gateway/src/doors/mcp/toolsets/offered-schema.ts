import type { StandardSchemaWithJSON } from "@modelcontextprotocol/server";
import { z } from "zod";

/**
 * The parts of a schema that a model needs, because it pays for them with every request: without the dialect, which the
 * protocol sets, and without what is true of any object. Unknown names are still refused when the input is parsed.
 */
export function offeredSchema<Schema extends z.ZodObject>(
  schema: Schema,
): StandardSchemaWithJSON<z.input<Schema>, z.output<Schema>> {
  const describe = (io: "input" | "output") => () => {
    const { $schema: _, ...described } = z.toJSONSchema(schema, { io, override: ({ jsonSchema }) => trim(jsonSchema) });
    return described;
  };
  const { validate, vendor, version } = schema["~standard"];
  const jsonSchema = { input: describe("input"), output: describe("output") };
  return { "~standard": { validate, vendor, version, jsonSchema } };
}

/** Every name of a JSON object is a string, and an object allows further names by default. */
function trim(described: z.core.JSONSchema.BaseSchema): void {
  delete described.propertyNames;
  const rest = described.additionalProperties;
  if (rest === false || (typeof rest === "object" && Object.keys(rest).length === 0)) {
    delete described.additionalProperties;
  }
}
