/** A word that any POSIX shell takes literally, whatever is in it. */
export function quoteWord(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}

/** The same, without quotes where a person would not write any. */
export function quoteWordIfNeeded(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : quoteWord(word);
}
