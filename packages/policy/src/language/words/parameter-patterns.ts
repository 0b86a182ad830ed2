import { matchLengths } from "./glob.ts";

/** A text without the part at one end that matches a pattern. */
export function removePattern(text: string, operator: string, pattern: string): string {
  const isGreedy = operator.length === 2;
  const atStart = operator.startsWith("#");
  const lengths = atStart ? matchLengths(pattern, text) : matchLengths(reverse(pattern), reverse(text));
  const length = isGreedy ? lengths.at(-1) : lengths[0];
  if (length === undefined) return text;
  return atStart ? text.slice(length) : text.slice(0, text.length - length);
}

function reverse(text: string): string {
  return text.split("").reverse().join("");
}

/** Replaces the longest match at each position, as in bash. */
export function replacePattern(text: string, operator: string, pattern: string, replacement: string): string {
  if (pattern === "") return text;
  if (operator === "/#") {
    const length = matchLengths(pattern, text).at(-1);
    return length === undefined ? text : replacement + text.slice(length);
  }
  if (operator === "/%") {
    const length = matchLengths(reverse(pattern), reverse(text)).at(-1);
    return length === undefined ? text : text.slice(0, text.length - length) + replacement;
  }
  let replaced = "";
  for (let at = 0; at < text.length; ) {
    const length = matchLengths(pattern, text, at).at(-1) ?? 0;
    if (length === 0) {
      replaced += text.charAt(at);
      at += 1;
      continue;
    }
    replaced += replacement;
    at += length;
    if (operator === "/") return replaced + text.slice(at);
  }
  return replaced;
}
