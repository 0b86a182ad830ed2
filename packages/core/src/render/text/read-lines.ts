import { takeChars } from "./summary.ts";

export interface LineRange {
  /** Lines count from 1, both ends included, as in the notice of a summary. */
  fromLine: number;
  text: string;
  toLine: number;
  totalLines: number;
  /** Where to continue; null at the end of the requested range. */
  nextLine: number | null;
}

/** Lines of a rendered text, as many whole ones as fit; a single line that does not fit is cut. */
export function readLineRange(
  text: string,
  { fromLine, toLine, maxChars }: { fromLine: number; toLine: number; maxChars: number },
): LineRange {
  const lines = text.split("\n");
  const first = Math.max(1, fromLine);
  const last = Math.min(toLine, lines.length);
  const taken: string[] = [];
  let usedChars = 0;
  for (let line = first; line <= last; line++) {
    const content = lines[line - 1] ?? "";
    if (usedChars + content.length + 1 > maxChars && taken.length > 0) break;
    taken.push(takeChars(content, maxChars));
    usedChars += content.length + 1;
  }
  const end = first + taken.length - 1;
  return {
    fromLine: first,
    text: taken.join("\n"),
    toLine: end,
    totalLines: lines.length,
    nextLine: end < last ? end + 1 : null,
  };
}

export interface SearchMatches {
  matches: { line: number; text: string }[];
  totalMatches: number;
  totalLines: number;
}

/** Lines that contain a text, taken literally: a pattern from outside could run forever. Case is ignored. */
export function searchLines(
  text: string,
  { query, maxMatches, maxLineChars }: { query: string; maxMatches: number; maxLineChars: number },
): SearchMatches {
  const wanted = query.toLowerCase();
  const lines = text.split("\n");
  const matches: SearchMatches["matches"] = [];
  let totalMatches = 0;
  for (const [index, content] of lines.entries()) {
    const at = content.toLowerCase().indexOf(wanted);
    if (at < 0) continue;
    totalMatches++;
    if (matches.length < maxMatches) matches.push({ line: index + 1, text: cutAround(content, at, maxLineChars) });
  }
  return { matches, totalMatches, totalLines: lines.length };
}

/** The part of a long line around the match. */
function cutAround(content: string, at: number, maxChars: number): string {
  if (content.length <= maxChars) return content;
  const start = Math.max(0, Math.min(at - Math.floor(maxChars / 4), content.length - maxChars));
  return `${start > 0 ? "…" : ""}${takeChars(content.slice(start), maxChars)}…`;
}
