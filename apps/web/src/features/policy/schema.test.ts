import { expect, test } from "vitest";
import { defaultWords, type JsonSchema, labelOf, schemaAt, withoutNull } from "./schema.ts";

const SCHEMA: JsonSchema = {
  properties: {
    limits: { properties: { spawnedIdleMs: { type: "integer", default: 300_000 } } },
    profiles: { additionalProperties: { properties: { safe: { enum: ["allow", "ask"] } } } },
    rules: { type: "array", items: { properties: { id: { type: "string" } } } },
  },
};

test("W4 finds the schema of a path: by name, under any name, in a list", () => {
  expect(schemaAt(SCHEMA, ["limits", "spawnedIdleMs"])).toEqual({ type: "integer", default: 300_000 });
  expect(schemaAt(SCHEMA, ["profiles", "ours", "safe"])).toEqual({ enum: ["allow", "ask"] });
  expect(schemaAt(SCHEMA, ["rules", 3, "id"])).toEqual({ type: "string" });
  expect(schemaAt(SCHEMA, ["nothing", "here"])).toBeNull();
});

test("W4 shows names and defaults in plain words", () => {
  expect(labelOf("spawnedIdleMs")).toBe("Spawned idle");
  expect(defaultWords({ default: 300_000 }, "spawnedIdleMs")).toBe("5 min");
  expect(defaultWords({ default: ["a", "b", "c", "d"] }, "safeCommands")).toBe("4 built in");
  expect(defaultWords({ default: null }, "auditDays")).toBe("never");
  expect(withoutNull({ anyOf: [{ type: "integer", minimum: 1 }, { type: "null" }] })).toMatchObject({
    mayBeNull: true,
    schema: { type: "integer", minimum: 1 },
  });
});
