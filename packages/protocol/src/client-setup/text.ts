import type { SetupEntry } from "./types.ts";

/** A file that contains only these entries. */
export function textOfEntries(entries: readonly SetupEntry[]): string {
  const [first] = entries;
  if (!first) return "";
  switch (first.format) {
    case "text":
      return String(first.value);
    case "toml":
      return tomlTable(first.path, first.value as Record<string, unknown>);
    case "json":
      return JSON.stringify(entries.reduce(withEntry, {}), null, 2);
  }
}

/** Strings, numbers and lists of them are written the same way in JSON and TOML. */
export function tomlTable(path: readonly string[], values: Readonly<Record<string, unknown>>): string {
  const lines = Object.entries(values).map(([key, value]) => {
    const text = JSON.stringify(value).replaceAll('","', '", "');
    return `${key} = ${text}`;
  });
  return [`[${path.join(".")}]`, ...lines].join("\n");
}

function withEntry(file: object, { path, way, value }: Pick<SetupEntry, "path" | "way" | "value">): object {
  const [key, ...rest] = path;
  if (key === undefined) return value as object;
  const below = (file as Record<string, unknown>)[key];
  if (rest.length > 0) {
    return { ...file, [key]: withEntry((below ?? {}) as object, { path: rest, way, value }) };
  }
  return { ...file, [key]: way === "add" ? [...((below as unknown[] | undefined) ?? []), value] : value };
}
