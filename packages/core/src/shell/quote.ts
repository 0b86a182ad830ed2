export { quoteWord as quote } from "@belay/protocol";

/** Quotes a word so that fish takes it literally: in fish, a backslash is special inside quotes. */
export function quoteForFish(word: string): string {
  return `'${word.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}
