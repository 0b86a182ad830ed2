import { ANY_ONE, HOLE, STAR } from "../state/values.ts";

/**
 * Shell patterns, without backtracking: every position of the text is visited once with the set of possible positions
 * in the pattern, so matching takes at most the product of their lengths.
 * Active wildcards are the private characters of `values.ts`.
 */
function advance(pattern: string, places: Uint8Array, char: string): boolean {
  let isAlive = false;
  // From the end, so that a position that was just reached is not advanced again by the same character.
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

/** A star can match the empty string: a position before it is also a position after it. */
function skipStars(pattern: string, places: Uint8Array): void {
  for (let at = 0; at < pattern.length; at += 1) {
    const char = pattern.charAt(at);
    if (places[at] === 1 && (char === STAR || char === HOLE)) places[at + 1] = 1;
  }
}

/** How many characters of the text, from here on, the pattern can match: every possible length. */
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

const REPEATED_STARS = new RegExp(`[${STAR}${HOLE}]{2,}`, "g");

/** Whether the pattern matches the whole text. */
export function matchesWhole(pattern: string, text: string): boolean {
  // Several stars match what one does.
  const short = pattern.length > text.length ? pattern.replace(REPEATED_STARS, STAR) : pattern;
  if (short.length > 2 * text.length + 1) return false;
  return matchLengths(short, text).at(-1) === text.length;
}

/** Whether these wildcards could match one of these names. */
export function couldMatchAny(pattern: string, names: readonly string[]): boolean {
  return names.some((name) => matchesWhole(pattern, name));
}

/** Literal `*` and `?` of an expanded, unquoted value become wildcards. */
export function activateGlobs(text: string): string {
  return text.replace(/[*?]/g, (char) => (char === "*" ? STAR : ANY_ONE));
}
