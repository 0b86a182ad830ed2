export { quoteWord as quote } from "@belay/protocol";

/** A word that fish takes literally: there, a backslash counts inside of quotes. */
export function quoteForFish(word: string): string {
  return `'${word.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}
