import { stat } from "node:fs/promises";
import type { TerminalId } from "@belay/protocol";
import { recordingPaths } from "../format.ts";
import { openRecording } from "../reader.ts";
import { listRecordings } from "../recover.ts";
import { loadGramIndex } from "./gram-index.ts";
import { searchText, type TextMatch } from "./search-text.ts";

export interface RecordingSearch {
  text: string;
  /** How many recordings have been searched so far. */
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
/** About how long one call takes; a caller who wants more calls again. */
const BUDGET_MS = 2_000;

/**
 * Searches all recordings, newest first. If there is an index, only the blocks that may contain the text are read.
 * Recordings that are still being written or not indexed yet are read completely.
 */
export async function searchRecordings(dir: string, { text, cursor }: RecordingSearch): Promise<SearchProgress> {
  const startedAt = performance.now();
  const ids = await newestFirst(dir);
  const found: SearchProgress["found"] = [];
  let searched = cursor;
  for (const id of ids.slice(cursor)) {
    const one = await searchOne(dir, id, text);
    if (one) found.push(one);
    searched += 1;
    if (found.length >= MOST_FOUND || performance.now() - startedAt > BUDGET_MS) break;
  }
  return { found, searched, total: ids.length, nextCursor: searched < ids.length ? searched : null };
}

async function searchOne(dir: string, id: TerminalId, text: string): Promise<SearchProgress["found"][number] | null> {
  const recording = await openRecording(dir, id);
  if (!recording) return null;
  try {
    const end = await recording.readEnd();
    const { matches, isComplete } = await searchText(recording, text, {
      index: end && (await loadGramIndex(dir, id, end.rawSha256)),
      maxMatches: MATCHES_PER_RECORDING,
      // Lets other calls to this thread run.
      onBlock: () => new Promise((resolve) => setImmediate(() => resolve(true))),
    });
    if (matches.length === 0) return null;
    const { startedAt, title } = recording.header;
    return { id, startedAt, title, matches, hasMore: !isComplete };
  } finally {
    await recording.close();
  }
}

async function newestFirst(dir: string): Promise<TerminalId[]> {
  const changed = await Promise.all(
    (await listRecordings(dir)).map(async (id) => {
      const file = await stat(recordingPaths(dir, id).index).catch(() => null); // it may have been deleted meanwhile
      return { id, changedAt: file?.mtimeMs ?? 0 };
    }),
  );
  return changed.sort((a, b) => b.changedAt - a.changedAt).map(({ id }) => id);
}
