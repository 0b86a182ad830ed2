import { IS_SECRET_FLAG, IS_SECRET_NAME, SECRET_SHAPES } from "./secret-shapes.ts";

const MASK = "****";

/** Matches every text that one of the hints matches: most names and values in a record need no second look. */
const ANY_HINT = new RegExp(SECRET_SHAPES.map(({ hint }) => hint.source).join("|"), "i");

/** Replaces secrets in known formats. The text around them stays readable: `ghp_****`. */
export function redactSecrets(text: string): string {
  if (!ANY_HINT.test(text)) return text;
  let shown = text;
  for (const { hint, pattern, shown: replacement } of SECRET_SHAPES) {
    if (hint.test(shown)) shown = shown.replace(pattern, replacement);
  }
  return shown;
}

export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

/** The same for a whole value: every string in it, and values whose name marks them as secret. */
export function redactJson<Value extends Json>(value: Value): Value {
  return redactAny(value) as Value;
}

function redactAny(value: Json): Json {
  if (typeof value === "string") return redactSecrets(value);
  if (Array.isArray(value)) return redactList(value);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      redactSecrets(name),
      typeof inner === "string" && inner !== "" && IS_SECRET_NAME.test(name) ? MASK : redactAny(inner),
    ]),
  );
}

/** In a list of arguments, the one after `--password` is a secret. */
function redactList(list: Json[]): Json[] {
  return list.map((item, index) => {
    const before = list[index - 1];
    const isSecret = typeof item === "string" && typeof before === "string" && IS_SECRET_FLAG.test(before);
    return isSecret ? MASK : redactAny(item);
  });
}
