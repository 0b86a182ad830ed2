/**
 * Sets and removes one table of a TOML file as text, which keeps everything else in it, comments included.
 * A table extends from its header to the next header that is not below it.
 */
export function setTable(text: string, path: readonly string[], values: Record<string, unknown>): string {
  const rest = removeTable(text, path).trimEnd();
  const lines = Object.entries(values).map(([key, value]) => `${key} = ${toToml(value)}`);
  const table = [`[${path.join(".")}]`, ...lines].join("\n");
  return `${rest === "" ? "" : `${rest}\n\n`}${table}\n`;
}

export function removeTable(text: string, path: readonly string[]): string {
  const name = path.join(".");
  let isInside = false;
  const kept = text.split("\n").filter((line) => {
    const header = /^\s*\[\[?\s*([^\]]+?)\s*\]\]?\s*(#.*)?$/.exec(line)?.[1]?.replace(/["'\s]/g, "");
    if (header !== undefined) isInside = header === name || header.startsWith(`${name}.`);
    return !isInside;
  });
  return kept.join("\n");
}

/** JSON's strings, numbers and lists of them are valid TOML. */
function toToml(value: unknown): string {
  return JSON.stringify(value).replaceAll('","', '", "');
}
