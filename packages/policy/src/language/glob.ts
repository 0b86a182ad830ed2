import { ANY_ONE, HOLE, STAR } from "./values.ts";

/** A shell pattern as a RegExp source. Active wildcards are the private characters of `values.ts`. */
export function patternSource(pattern: string): string {
  let source = "";
  for (const char of pattern) {
    if (char === STAR || char === HOLE) source += "[^]*";
    else if (char === ANY_ONE) source += "[^]";
    else source += char.replace(/[\\^$.*+?()[\]{}|/]/, "\\$&");
  }
  return source;
}

/** Could these wildcards stand for one of these names? With many stars the answer is yes: trying would take too long. */
export function couldMatchAny(pattern: string, names: readonly string[]): boolean {
  if (pattern.split(STAR).length + pattern.split(HOLE).length > 6) return true;
  const wild = new RegExp(`^${patternSource(pattern)}$`);
  return names.some((name) => wild.test(name));
}

/** Literal `*` and `?` of an expanded, unquoted value are wildcards again. */
export function activateGlobs(text: string): string {
  return text.replace(/[*?]/g, (char) => (char === "*" ? STAR : ANY_ONE));
}
