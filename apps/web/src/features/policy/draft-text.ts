import { applyEdits, format, type JSONPath, modify, type ParseError, parse } from "jsonc-parser";

const FORMATTING = { tabSize: 2, insertSpaces: true };

/** What a text says; null where it cannot be read. */
export function readValues(text: string): Record<string, unknown> | null {
  const errors: ParseError[] = [];
  const value: unknown = parse(text, errors, { allowTrailingComma: true });
  return errors.length === 0 && typeof value === "object" && value !== null ? (value as Record<string, unknown>) : null;
}

/** Changes one value and leaves comments, order and everything else. `undefined` takes it out. */
export function changeValue(text: string, path: JSONPath, value: unknown): string {
  return applyEdits(text, modify(text, path, value, { formattingOptions: FORMATTING }));
}

/** Adds rules at the end of the list, and leaves those that are there as they were written. */
export function appendRules(text: string, rules: readonly object[]): string {
  return rules.reduce<string>((before, rule) => {
    const existing = readValues(before)?.rules;
    const count = Array.isArray(existing) ? existing.length : 0;
    return count === 0 ? changeValue(before, ["rules"], [rule]) : changeValue(before, ["rules", count], rule);
  }, text);
}

export function formatText(text: string): string {
  return applyEdits(text, format(text, undefined, FORMATTING));
}
