import { openRecording, searchText, type TextMatch } from "@belay/core";
import type { TerminalId } from "@belay/protocol";

export interface RecordingSearch {
  text: string;
  /** How many recordings have been searched. */
  cursor: number;
}

export interface SearchProgress {
  found: { id: TerminalId; startedAt: number; title: string; matches: TextMatch[]; hasMore: boolean }[];
  searched: number;
  total: number;
  /** Where to continue; null when all have been searched. */
  nextCursor: number | null;
}

const MATCHES_PER_RECORDING = 5;
const MOST_FOUND = 50;
/** The duration of one call; the caller continues with the cursor. */
const BUDGET_MS = 2_000;

/**
 * Reads the recordings one by one. There is no index, so redacted or deleted output cannot be found any more, and
 * a recording that is being written is searched up to its current end.
 */
export async function searchRecordings(
  dir: string,
  ids: readonly TerminalId[],
  { text, cursor }: RecordingSearch,
): Promise<SearchProgress> {
  const startedAt = performance.now();
  const found: SearchProgress["found"] = [];
  let searched = cursor;
  for (const id of ids.slice(cursor)) {
    const recording = await openRecording(dir, id);
    if (recording) {
      try {
        const { matches, isComplete } = await searchText(recording, text, {
          maxMatches: MATCHES_PER_RECORDING,
          onBlock: yieldToOthers,
        });
        const { header } = recording;
        if (matches.length > 0)
          found.push({ id, startedAt: header.startedAt, title: header.title, matches, hasMore: !isComplete });
      } finally {
        await recording.close();
      }
    }
    searched += 1;
    if (found.length >= MOST_FOUND || performance.now() - startedAt > BUDGET_MS) break;
  }
  return { found, searched, total: ids.length, nextCursor: searched < ids.length ? searched : null };
}

/** Yields between recordings: stripping control sequences is CPU work, and others need the thread. */
async function yieldToOthers(): Promise<boolean> {
  await new Promise((resolve) => setImmediate(resolve));
  return true;
}
