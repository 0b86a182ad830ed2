/** Quotes any text as one word that every POSIX shell takes literally. */
export function quoteWord(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}

/** The same, but without quotes if none are needed. */
export function quoteWordIfNeeded(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : quoteWord(word);
}
