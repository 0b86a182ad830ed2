import type { TerminalId } from "@belay/protocol";
import { Pauses } from "../../pauses.ts";
import { Screens } from "../../render/screen/screens.ts";
import { openRecording } from "../reader.ts";
import { buildFrames } from "../replay/build-frames.ts";
import { FRAME_BYTES, hasFrames } from "../replay/frames.ts";
import { buildGramIndex, loadGramIndex } from "./gram-index.ts";
import { type RecordingSearch, type SearchProgress, searchRecordings } from "./search-recordings.ts";

/** Preparing is not urgent, and a recording of 100 MB takes seconds: the time belongs to the terminals that still run. */
const MAX_SHARE = 0.25;

/** Work that reads whole recordings. It runs in a thread, so that it blocks nothing else. */
export interface RecordingService {
  search(dir: string, search: RecordingSearch): Promise<SearchProgress>;
  /** Builds the index and the frames that a finished recording lacks. False while it is still being written. */
  prepare(dir: string, terminalId: TerminalId): Promise<boolean>;
}

export function createRecordingService(): RecordingService {
  return { search: searchRecordings, prepare };
}

async function prepare(dir: string, terminalId: TerminalId): Promise<boolean> {
  const recording = await openRecording(dir, terminalId);
  if (!recording) return true;
  try {
    const end = await recording.readEnd();
    if (!end) return false;
    const { rawSha256, position } = end;
    const pauses = new Pauses(MAX_SHARE);
    if (!(await loadGramIndex(dir, terminalId, rawSha256))) await buildGramIndex(dir, recording, () => pauses.pause());
    if (position < FRAME_BYTES || (await hasFrames(dir, terminalId, rawSha256))) return true;
    const screens = new Screens();
    try {
      await buildFrames(dir, recording, { screens, onFrame: () => pauses.pause() });
    } finally {
      await screens.close();
    }
    return true;
  } finally {
    await recording.close();
  }
}
