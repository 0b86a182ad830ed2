import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { claimedSettings } from "../testing/claimed-settings.ts";
import { HONOURED_BY } from "./honoured-by.ts";
import { securityFileSchema } from "./json-schema.ts";

const ROOT = fileURLToPath(new URL("../../../../", import.meta.url));
const CLAIMS = [
  "packages/policy/src/settings/every-setting.test.ts",
  ...["tools", "approvals", "storage", "walls"].map(
    (theme) => `apps/agent-gateway/src/policy/every-setting/${theme}.pty.test.ts`,
  ),
  "apps/agent-gateway/src/doors/hooks/hooks.pty.test.ts",
  "apps/agent-gateway/src/previews/previews.pty.test.ts",
  "apps/agent-gateway/src/doors/hooks/program.pty.test.ts",
];

interface Schema {
  type?: string;
  properties?: Record<string, Schema>;
  additionalProperties?: Schema | boolean;
  items?: Schema;
}

test("every setting of the schema is listed with its reader, and nothing else is", () => {
  expect(Object.keys(HONOURED_BY).sort()).toEqual(leavesOf(securityFileSchema() as Schema).sort());
});

test.each(Object.entries(HONOURED_BY))("setting %s is read in %s", (key, file) => {
  const name = key.slice(key.lastIndexOf(".") + 1);

  expect(existsSync(ROOT + file)).toBe(true);
  if (key !== "$schema") expect(readFileSync(ROOT + file, "utf8")).toContain(name);
});

test("every setting is claimed by a test", () => {
  const claimed = new Set(CLAIMS.flatMap((file) => claimsIn(readFileSync(ROOT + file, "utf8"))));
  const unclaimed = Object.keys(HONOURED_BY).filter((key) => key !== "$schema" && !claimed.has(key));

  expect(unclaimed).toEqual([]);
});

/** Settings that a file claims: as keys of its table, or in the names of its tests. */
function claimsIn(source: string): string[] {
  const keys = [...source.matchAll(/^ {2}"?([\w.*]+)"?: \[/gm)].map(([, key = ""]) => key);
  const names = [...source.matchAll(/test\(\s*"([^"]*)"/g)].flatMap(([, name = ""]) => claimedSettings(name));
  const refused = [...source.matchAll(/^ {2}\[\{.*\}, "([\w.]+)", /gm)].map(([, key = ""]) => key);
  const examples = /test\.each\(\["match", "notMatch"\]\)/.test(source) ? ["rules.*.match", "rules.*.notMatch"] : [];
  return [...keys, ...names, ...refused.map((key) => key.replace("profiles.boxed", "profiles.*")), ...examples];
}

function leavesOf(schema: Schema, path: string[] = []): string[] {
  if (schema.properties) {
    return Object.entries(schema.properties).flatMap(([key, inner]) => leavesOf(inner, [...path, key]));
  }
  if (typeof schema.additionalProperties === "object") return leavesOf(schema.additionalProperties, [...path, "*"]);
  if (schema.items?.properties) return leavesOf(schema.items, [...path, "*"]);
  return [path.join(".")];
}
