import { HONOURED_BY } from "../settings/honoured-by.ts";
import { defaultPolicy } from "../settings/policy.ts";
import type { SecuritySettings } from "../settings/schema.ts";

/**
 * The settings that a test claims by its name: `settings a.b.c .d and e.f`, where `.d` means `a.b.d`. Other words of the
 * name are only words.
 */
export function claimedSettings(testName: string): string[] {
  const words = /^(?:[A-Z]\d+ )*settings? (.*)$/.exec(testName)?.[1]?.split(/[\s:]+/) ?? [];
  let prefix = "";
  const keys = words.map((word) => {
    if (word.startsWith(".")) return prefix + word.slice(1);
    prefix = word.slice(0, word.lastIndexOf(".") + 1);
    return word;
  });
  return keys.filter((key) => Object.hasOwn(HONOURED_BY, key));
}

/** The settings that do not have their default, by the names of `honoured-by.ts`. */
export function changedSettings(settings: SecuritySettings): string[] {
  return Object.keys(HONOURED_BY).filter((key) => {
    const found = valuesAt(settings, key.split("."));
    const usual = new Map(valuesAt(defaultPolicy.settings, key.split(".")));
    return found.some(([path, value]) => JSON.stringify(value) !== JSON.stringify(usual.get(path)));
  });
}

/** The values below a path, in which `*` stands for every name or index. */
function valuesAt(value: unknown, [step, ...rest]: readonly string[], path = ""): [string, unknown][] {
  if (step === undefined) return value === undefined ? [] : [[path, value]];
  if (typeof value !== "object" || value === null) return [];
  const entries = Object.entries(value).filter(([name]) => step === "*" || step === name);
  return entries.flatMap(([name, inner]) => valuesAt(inner, rest, `${path}.${name}`));
}
