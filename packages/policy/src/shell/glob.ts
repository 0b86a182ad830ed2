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

/** Could these wildcards stand for this name? Stars in a row are one star, so this stays quick. */
export function couldMatch(pattern: string, name: string): boolean {
  const stars = pattern.split(STAR).length + pattern.split(HOLE).length;
  if (stars > 12) return true;
  return new RegExp(`^${patternSource(pattern)}$`).test(name);
}

/** Literal `*` and `?` of an expanded, unquoted value are wildcards again. */
export function activateGlobs(text: string): string {
  return text.replace(/[*?]/g, (char) => (char === "*" ? STAR : ANY_ONE));
}
