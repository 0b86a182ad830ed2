import { openRecording, searchText, type TextMatch } from "@belay/core";
import type { TerminalId } from "@belay/protocol";

export interface RecordingSearch {
  text: string;
  /** How many recordings were searched already. */
  cursor: number;
}

export interface SearchProgress {
  found: { id: TerminalId; startedAt: number; title: string; matches: TextMatch[]; hasMore: boolean }[];
  searched: number;
  total: number;
  /** Where to go on; null when all were searched. */
  nextCursor: number | null;
}

const MATCHES_PER_RECORDING = 5;
const MOST_FOUND = 50;
/** One call takes about this long; a caller who wants more goes on. */
const BUDGET_MS = 2_000;

/**
 * Reads the recordings one after the other. Nothing is indexed: what is redacted or removed is gone from the search at
 * once, and a recording that is being written is searched as it is.
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

/** Taking the control sequences out is work, and others wait for the same thread. */
async function yieldToOthers(): Promise<boolean> {
  await new Promise((resolve) => setImmediate(resolve));
  return true;
}
