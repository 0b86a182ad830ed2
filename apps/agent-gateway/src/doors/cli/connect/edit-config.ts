import type { SetupEntry } from "@belay/protocol";
import { applyEdits, type JSONPath, modify, type ParseError, parse, printParseErrorCode } from "jsonc-parser";
import { removeTable, setTable } from "./toml-table.ts";

const FORMAT = { formattingOptions: { insertSpaces: true, tabSize: 2, eol: "\n" } };

/** Adds an entry to the text of a configuration file. `text` is null if there is no file yet. */
export function addEntry(text: string | null, entry: SetupEntry, isOurs: IsOurs): string {
  switch (entry.format) {
    case "text":
      return String(entry.value);
    case "toml":
      return setTable(text ?? "", entry.path, entry.value as Record<string, unknown>);
    case "json": {
      if (entry.path.length === 0) return `${JSON.stringify(entry.value, null, 2)}\n`;
      const before = text ?? "{}\n";
      if (entry.way === "set") return edit(before, [...entry.path], entry.value);
      const others = listAt(before, entry.path).filter((element) => !isOurs(element));
      return edit(before, [...entry.path], [...others, entry.value]);
    }
  }
}

/** Removes it; null if nothing else was in the file. */
export function removeEntry(text: string, entry: SetupEntry, isOurs: IsOurs): string | null {
  switch (entry.format) {
    case "text":
      return null;
    case "toml":
      return nullIfEmpty(removeTable(text, entry.path));
    case "json": {
      if (entry.path.length === 0) return null;
      if (entry.way === "set") return pruned(edit(text, [...entry.path], undefined), entry.path.slice(0, -1));
      const others = listAt(text, entry.path).filter((element) => !isOurs(element));
      if (others.length > 0) return edit(text, [...entry.path], others);
      return pruned(edit(text, [...entry.path], undefined), entry.path.slice(0, -1));
    }
  }
}

/** Whether an element of a list is Belay's own. */
export type IsOurs = (element: unknown) => boolean;

/** Where `text` is invalid JSON; null if it is valid. Comments and trailing commas are fine. */
export function problemIn(text: string): string | null {
  const errors: ParseError[] = [];
  parse(text, errors, { allowTrailingComma: true });
  const [first] = errors;
  if (!first) return null;
  const line = text.slice(0, first.offset).split("\n").length;
  return `line ${line}: ${printParseErrorCode(first.error)}`;
}

/** Also removes the objects and lists that become empty. */
function pruned(text: string, path: readonly string[]): string | null {
  for (let keys = path; keys.length > 0; keys = keys.slice(0, -1)) {
    if (!isEmpty(valueAt(text, keys))) return text;
    text = edit(text, [...keys], undefined);
  }
  return isEmpty(parse(text)) ? null : text;
}

function edit(text: string, path: JSONPath, value: unknown): string {
  return applyEdits(text, modify(text, path, value, FORMAT));
}

function listAt(text: string, path: readonly string[]): unknown[] {
  const found = valueAt(text, path);
  return Array.isArray(found) ? found : [];
}

function valueAt(text: string, path: readonly string[]): unknown {
  return path.reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], parse(text));
}

function isEmpty(value: unknown): boolean {
  return typeof value === "object" && value !== null && Object.keys(value).length === 0;
}

function nullIfEmpty(text: string): string | null {
  return text.trim() === "" ? null : text;
}
