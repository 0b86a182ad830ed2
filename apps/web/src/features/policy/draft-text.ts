import { applyEdits, format, type JSONPath, modify, type ParseError, parse } from "jsonc-parser";

const FORMATTING = { tabSize: 2, insertSpaces: true };

/** The parsed text; null if it is invalid. */
export function readValues(text: string): Record<string, unknown> | null {
  const errors: ParseError[] = [];
  const value: unknown = parse(text, errors, { allowTrailingComma: true });
  return errors.length === 0 && typeof value === "object" && value !== null ? (value as Record<string, unknown>) : null;
}

/** Changes one value and keeps comments, order and everything else. `undefined` removes it. */
export function changeValue(text: string, path: JSONPath, value: unknown): string {
  return applyEdits(text, modify(text, path, value, { formattingOptions: FORMATTING }));
}

/** Appends rules to the list, and keeps the existing ones as they were written. */
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
