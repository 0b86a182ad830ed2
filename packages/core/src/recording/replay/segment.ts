import type { Screens } from "../../render/screen/screens.ts";
import { missing } from "../format.ts";
import type { RecordingReader, SeekTo } from "../reader.ts";

/** A segment of a recording that a player can show on its own: the screen at its start, then the output. */
export interface RecordingSegment {
  /** Its start and end, in milliseconds since the recording began. */
  fromMs: number;
  toMs: number;
  cols: number;
  rows: number;
  /** `o`: output, `r`: a new size as `COLSxROWS`, `m`: missing bytes. */
  events: [timeMs: number, code: "o" | "r" | "m", data: string][];
  /** False if the screen at its start was built only from the latest output before it, because there was too much. */
  isExact: boolean;
  /** The start of the next segment; null at the end of the recording so far. */
  nextPosition: number | null;
  /** Its end, for callers that wait for more. */
  endPosition: number;
}

const LOOK_BACK_BYTES = 2 * 1_024 * 1_024;
const SEGMENT_BYTES = 512 * 1_024;
const SEGMENT_EVENTS = 20_000;
const NEWLINE = 0x0a;

let nextScreen = 0;

/**
 * Reads a segment from a time or a position on, however long the recording is.
 *
 * 1. Finds the place in the index.
 * 2. Renders the screen at that place: from the last frame before it or, if there are no frames (yet), from the
 *    beginning or the last 2 MB.
 * 3. Adds the output that follows, up to 512 KB.
 */
export async function readSegment(recording: RecordingReader, at: SeekTo, screens: Screens): Promise<RecordingSegment> {
  const start = await findStart(recording, at);
  const screen = await drawScreen(recording, start.position, screens);
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  const segment: RecordingSegment = {
    fromMs: start.timeMs,
    toMs: start.timeMs,
    cols: screen.cols,
    rows: screen.rows,
    // The screen may end in a partial character, which the next bytes complete.
    events: [[start.timeMs, "o", decoder.decode(screen.bytes, { stream: true })]],
    isExact: screen.isExact,
    nextPosition: null,
    endPosition: start.position,
  };
  let bytes = 0;
  for await (const event of recording.events({ position: start.position })) {
    if (event.type === "output" && (bytes >= SEGMENT_BYTES || segment.events.length >= SEGMENT_EVENTS)) {
      segment.nextPosition = event.position;
      break;
    }
    segment.toMs = Math.max(segment.toMs, event.timeMs);
    if (event.type === "output") {
      bytes += event.bytes.byteLength;
      segment.endPosition = event.position + event.bytes.byteLength;
      const text = decoder.decode(event.bytes, { stream: true });
      if (text !== "") segment.events.push([event.timeMs, "o", text]);
    } else if (event.type === "gap") {
      segment.endPosition = event.toPosition;
      segment.events.push([event.timeMs, "m", missing(event)]);
    } else if (event.type === "resized") segment.events.push([event.timeMs, "r", `${event.cols}x${event.rows}`]);
  }
  return segment;
}

/** The first output at or after a time; the end if there is none. */
async function findStart(recording: RecordingReader, at: SeekTo): Promise<{ position: number; timeMs: number }> {
  for await (const event of recording.events(at)) {
    if (event.type !== "output") continue;
    return { position: event.position, timeMs: "timeMs" in at ? Math.max(at.timeMs, 0) : event.timeMs };
  }
  const { endPosition } = await recording.read(0, 0);
  return { position: endPosition, timeMs: await recording.readDurationMs() };
}

async function drawScreen(recording: RecordingReader, position: number, screens: Screens) {
  const frame = await recording.findFrame(position);
  const from = frame?.position ?? (await findLookBack(recording, position));
  const size = frame ?? (await recording.readSize({ position: from }));
  const isExact = frame !== null || from === 0;
  const id = `segment-${nextScreen++}`;
  const drawnBefore = frame?.bytes ?? new Uint8Array();
  screens.open(id, { position: from - drawnBefore.byteLength, cols: size.cols, rows: size.rows });
  try {
    // As if it had been printed just before.
    await screens.feed(id, from - drawnBefore.byteLength, drawnBefore);
    for await (const event of recording.events({ position: from })) {
      if (event.position >= position && event.type === "output") break;
      if (event.type === "resized") screens.resize(id, { cols: event.cols, rows: event.rows });
      if (event.type !== "output") continue;
      await screens.feed(id, event.position, event.bytes.subarray(0, position - event.position));
    }
    const drawn = await screens.snapshot(id, { scrollbackLines: 0 });
    return drawn ? { ...drawn, isExact } : { ...size, bytes: new Uint8Array(), isExact: false };
  } finally {
    screens.drop(id);
  }
}

/** Between two lines, so that no escape sequence or character is cut. */
async function findLookBack(recording: RecordingReader, position: number): Promise<number> {
  const from = position - LOOK_BACK_BYTES;
  if (from <= 0) return 0;
  const { bytes, fromPosition } = await recording.read(from, 64 * 1_024);
  return fromPosition + Buffer.from(bytes).indexOf(NEWLINE) + 1;
}
