import { tomlTable } from "@belay/protocol";

/**
 * Sets and removes one table of a TOML file as text, which keeps everything else in it, comments included.
 * A table extends from its header to the next header that is not below it.
 */
export function setTable(text: string, path: readonly string[], values: Record<string, unknown>): string {
  const rest = removeTable(text, path).trimEnd();
  return `${rest === "" ? "" : `${rest}\n\n`}${tomlTable(path, values)}\n`;
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
