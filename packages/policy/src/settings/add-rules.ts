import { applyEdits, modify, parse } from "jsonc-parser";
import type { TeamRule } from "./schema.ts";

const FORMATTING = { tabSize: 2, insertSpaces: true };

/** Appends rules to the list of a security file; comments and order stay. */
export function addRulesToText(text: string, rules: readonly TeamRule[]): string {
  let edited = text.trim() === "" ? "{}\n" : text;
  for (const rule of rules) {
    const existing = (parse(edited) as { rules?: { id?: unknown }[] }).rules ?? [];
    const path = existing.length === 0 ? ["rules"] : ["rules", existing.length];
    const entry = { ...withoutDefaults(rule), id: uniqueId(rule.id, existing) };
    const value = existing.length === 0 ? [entry] : entry;
    edited = applyEdits(edited, modify(edited, path, value, { formattingOptions: FORMATTING }));
  }
  return edited;
}

/** Drops defaults, because people read the file. */
function withoutDefaults({ match, notMatch, exactArgs, ...rule }: TeamRule): Partial<TeamRule> {
  return {
    ...rule,
    ...(exactArgs ? { exactArgs } : {}),
    ...(match.length > 0 ? { match } : {}),
    ...(notMatch.length > 0 ? { notMatch } : {}),
  };
}

function uniqueId(id: string, existing: readonly { id?: unknown }[]): string {
  const taken = new Set(existing.map((rule) => rule.id));
  let unique = id;
  for (let count = 2; taken.has(unique); count += 1) unique = `${id}-${count}`;
  return unique;
}
