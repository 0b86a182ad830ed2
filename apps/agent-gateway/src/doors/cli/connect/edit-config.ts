import type { SetupEntry } from "@belay/protocol";
import { applyEdits, type JSONPath, modify, type ParseError, parse, printParseErrorCode } from "jsonc-parser";
import { removeTable, setTable } from "./toml-table.ts";

const FORMAT = { formattingOptions: { insertSpaces: true, tabSize: 2, eol: "\n" } };

/** The text of a configuration file with an entry in it. `text` is null where there is no file yet. */
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

/** The same without it; null where nothing else was in the file. */
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

/** Where `text` cannot be read as JSON; null where it can. Comments and commas at the end are fine. */
export function problemIn(text: string): string | null {
  const errors: ParseError[] = [];
  parse(text, errors, { allowTrailingComma: true });
  const [first] = errors;
  if (!first) return null;
  const line = text.slice(0, first.offset).split("\n").length;
  return `line ${line}: ${printParseErrorCode(first.error)}`;
}

/** What is left empty by taking an entry out goes too. */
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
