/** A word that bash, zsh and sh take literally, whatever is in it. */
export function quote(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}

/** The same for fish, where a backslash counts inside of quotes. */
export function quoteForFish(word: string): string {
  return `'${word.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}
