/** A piece of an edited text: kept, removed or added. */
export interface DiffPiece {
  kind: "same" | "removed" | "added";
  text: string;
}

/** Above this many words on a side, comparing every pair would be noticeably slow. */
const MAX_WORDS = 600;

/** A word diff of two texts. The result contains every character of both. */
export function diffWords(before: string, after: string): DiffPiece[] {
  const from = wordsOf(before);
  const to = wordsOf(after);
  if (from.length > MAX_WORDS || to.length > MAX_WORDS) return join([...all("removed", from), ...all("added", to)]);

  // common[i][j]: length of the longest common subsequence of `from` after i and `to` after j.
  const common = Array.from({ length: from.length + 1 }, () => new Array<number>(to.length + 1).fill(0));
  const at = (i: number, j: number) => common[i]?.[j] ?? 0;
  for (let i = from.length - 1; i >= 0; i -= 1) {
    for (let j = to.length - 1; j >= 0; j -= 1) {
      const row = common[i];
      if (row) row[j] = from[i] === to[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }

  // A word diff of two texts with little in common would be unreadable.
  if (at(0, 0) * 2 < Math.min(from.length, to.length)) return join([...all("removed", from), ...all("added", to)]);

  const pieces: DiffPiece[] = [];
  let i = 0;
  let j = 0;
  while (i < from.length && j < to.length) {
    if (from[i] === to[j]) {
      pieces.push({ kind: "same", text: from[i] ?? "" });
      i += 1;
      j += 1;
    } else if (at(i + 1, j) >= at(i, j + 1)) pieces.push({ kind: "removed", text: from[i++] ?? "" });
    else pieces.push({ kind: "added", text: to[j++] ?? "" });
  }
  return join([...pieces, ...all("removed", from.slice(i)), ...all("added", to.slice(j))]);
}

function wordsOf(text: string): string[] {
  return text.match(/\s+|[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu) ?? [];
}

function all(kind: DiffPiece["kind"], words: string[]): DiffPiece[] {
  return words.map((text) => ({ kind, text }));
}

function join(pieces: DiffPiece[]): DiffPiece[] {
  const joined: DiffPiece[] = [];
  for (const { kind, text } of pieces) {
    const last = joined.at(-1);
    if (last?.kind === kind) last.text += text;
    else joined.push({ kind, text });
  }
  return joined;
}
