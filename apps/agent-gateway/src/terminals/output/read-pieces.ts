import { type LineRange, readLineRange, type SearchMatches, searchLines } from "@belay/core";
import type { OutputPiece } from "./long-output.ts";

/** Lines of a long output, numbered from its start; every chunk is read, so that the numbers are exact. */
export async function readLinesOfPieces(
  pieces: AsyncIterable<OutputPiece>,
  { fromLine, toLine, maxChars }: { fromLine: number; toLine: number; maxChars: number },
): Promise<LineRange> {
  const taken: string[] = [];
  let leftChars = maxChars;
  let nextLine: number | null = null;
  let before = 0;
  for await (const { text, lines } of pieces) {
    const isWanted = fromLine <= before + lines && toLine > before && nextLine === null;
    if (isWanted && (leftChars > 0 || taken.length === 0)) {
      const part = readLineRange(text, { fromLine: fromLine - before, toLine: toLine - before, maxChars: leftChars });
      if (part.text !== "" || part.toLine >= part.fromLine) taken.push(part.text);
      leftChars -= part.text.length + 1;
      if (part.nextLine !== null) nextLine = before + part.nextLine;
    } else if (isWanted) nextLine = before + 1;
    before += lines;
  }
  const first = Math.max(1, fromLine);
  const text = taken.join("\n");
  const end = nextLine === null ? Math.min(toLine, before) : nextLine - 1;
  return { fromLine: first, toLine: Math.max(end, first - 1), text, totalLines: before, nextLine };
}

export async function searchPieces(
  pieces: AsyncIterable<OutputPiece>,
  { query, maxMatches, maxLineChars }: { query: string; maxMatches: number; maxLineChars: number },
): Promise<SearchMatches> {
  const all: SearchMatches = { matches: [], totalMatches: 0, totalLines: 0 };
  for await (const { text, lines } of pieces) {
    const before = all.totalLines;
    const left = maxMatches - all.matches.length;
    const { matches, totalMatches } = searchLines(text, { query, maxMatches: left, maxLineChars });
    all.matches.push(...matches.map((match) => ({ ...match, line: match.line + before })));
    all.totalMatches += totalMatches;
    all.totalLines += lines;
  }
  return all;
}
