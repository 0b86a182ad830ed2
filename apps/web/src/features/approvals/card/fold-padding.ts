/** A stretch of text that only pushes the rest out of sight. */
export interface Padding {
  start: number;
  end: number;
  /** The label shown in its place. */
  words: string;
}

const BLANK_LINES = /\n(?:[^\S\n]*\n){3,}/g;
const SPACES = /[^\S\n]{24,}/g;
const COMMENT_LINES = /(?:^|(?<=\n))(?:[^\S\n]*#[^\n]*\n){3,}/g;

/** Empty lines, wide gaps and blocks of comments, in order. Parts that a rule fired on are never folded. */
export function findPadding(text: string, spans: readonly ({ start: number; end: number } | null)[]): Padding[] {
  const found = [
    ...stretches(text, BLANK_LINES, (part) => `${part.split("\n").length - 2} empty lines`),
    ...stretches(text, SPACES, (part) => `${part.length} spaces`),
    ...stretches(text, COMMENT_LINES, (part) => `${part.split("\n").length - 1} lines of comments`),
  ];
  const isRisky = ({ start, end }: Padding) => spans.some((span) => span && span.start < end && span.end > start);
  const ordered = found.filter((padding) => !isRisky(padding)).sort((one, other) => one.start - other.start);
  return ordered.filter(({ start }, at) => ordered.slice(0, at).every((before) => before.end <= start));
}

function stretches(text: string, pattern: RegExp, words: (part: string) => string): Padding[] {
  return [...text.matchAll(pattern)].map(({ 0: part, index }) => ({
    start: index,
    end: index + part.length,
    words: words(part),
  }));
}
