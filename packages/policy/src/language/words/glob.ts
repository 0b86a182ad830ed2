import { ANY_ONE, HOLE, STAR } from "../state/values.ts";

/**
 * Shell patterns, without backtracking: every position of the text is visited once with the set of places in the
 * pattern that it could be at, so that no pattern takes longer than its length times the text's.
 * Active wildcards are the private characters of `values.ts`.
 */
function advance(pattern: string, places: Uint8Array, char: string): boolean {
  let isAlive = false;
  // From the end, so that a place that is reached now is not left again by the same character.
  for (let at = pattern.length - 1; at >= 0; at -= 1) {
    const isHere = places[at] === 1;
    const wanted = pattern.charAt(at);
    if (wanted === STAR || wanted === HOLE) {
      if (isHere) isAlive = true;
      continue;
    }
    if (isHere && (wanted === ANY_ONE || wanted === char)) {
      places[at + 1] = 1;
      isAlive = true;
    }
    places[at] = 0;
  }
  return isAlive;
}

/** A star may stand for nothing: whoever is before it is also behind it. */
function skipStars(pattern: string, places: Uint8Array): void {
  for (let at = 0; at < pattern.length; at += 1) {
    const char = pattern.charAt(at);
    if (places[at] === 1 && (char === STAR || char === HOLE)) places[at + 1] = 1;
  }
}

/** How many characters of the text, from here on, the pattern can stand for: each possible number. */
export function matchLengths(pattern: string, text: string, from = 0): number[] {
  const places = new Uint8Array(pattern.length + 1);
  places[0] = 1;
  skipStars(pattern, places);
  const lengths = places[pattern.length] === 1 ? [0] : [];
  for (let at = from; at < text.length; at += 1) {
    places[pattern.length] = 0;
    const isAlive = advance(pattern, places, text.charAt(at));
    skipStars(pattern, places);
    if (places[pattern.length] === 1) lengths.push(at - from + 1);
    if (!isAlive) break;
  }
  return lengths;
}

/** Whether the pattern can stand for the whole text. */
export function matchesWhole(pattern: string, text: string): boolean {
  return matchLengths(pattern, text).at(-1) === text.length;
}

/** Could these wildcards stand for one of these names? */
export function couldMatchAny(pattern: string, names: readonly string[]): boolean {
  return names.some((name) => matchesWhole(pattern, name));
}

/** Literal `*` and `?` of an expanded, unquoted value are wildcards again. */
export function activateGlobs(text: string): string {
  return text.replace(/[*?]/g, (char) => (char === "*" ? STAR : ANY_ONE));
}
