import { INVISIBLE } from "@belay/protocol/hidden-characters";

/** A stretch of text that only pushes the rest out of sight. */
export interface Padding {
  start: number;
  end: number;
  /** The label shown in its place. */
  words: string;
}

const BLANK_LINES = /\n(?:[^\S\n]*\n){3,}/g;
const SPACES = /[^\S\n]{24,}/g;
/** Not the directives of C, which look the same in a here-document and do something. */
const COMMENT_LINES =
  /(?:^|(?<=\n))(?:[^\S\n]*#(?!!|[^\S\n]*(?:include|import|define|undef|if|else|elif|endif|pragma|line|error|warning|embed)\w*\b)[^\n]*\n){3,}/g;
const CONTINUED_LINES = /(?:\\\r?\n[^\S\n]*){3,}/g;
const UNSEEN = new RegExp(`(?:(?![\\n\\r\\t])(?:${INVISIBLE.source})){8,}`, "gu");
const NO_OPS = /(?:[^\S\n]*(?:;|&&|\|\||\n)[^\S\n]*(?::|true)(?=[\s;&|]|$)){6,}/g;
/** In single quotes nothing is expanded, and `:` reads nothing. */
const UNREAD_TEXTS = /(?:^|(?<=[;&|\n]))[^\S\n]*:[^\S\n]+'[^']{120,}'/g;

/** Empty lines, wide gaps, blocks of comments and commands without an effect, in order. Parts that a rule fired on are never folded. */
export function findPadding(text: string, spans: readonly ({ start: number; end: number } | null)[]): Padding[] {
  const found = [
    ...stretches(text, BLANK_LINES, (part) => `${part.split("\n").length - 2} empty lines`),
    ...stretches(text, SPACES, (part) => `${part.length} spaces`),
    ...stretches(text, COMMENT_LINES, (part) => `${part.split("\n").length - 1} lines of comments`),
    ...stretches(text, CONTINUED_LINES, (part) => `${part.split("\n").length - 1} continued empty lines`),
    ...stretches(text, UNSEEN, (part) => `${[...part].length} invisible characters`),
    ...stretches(text, NO_OPS, (part) => `${part.match(/:|true/g)?.length ?? 0} commands that do nothing`),
    ...stretches(text, UNREAD_TEXTS, (part) => `a text of ${part.length} characters that no program reads`),
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
