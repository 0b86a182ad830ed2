import type { RecordingReader } from "../reader.ts";

const BLOCK_BYTES = 256 * 1_024;

/** A piece of output as it was recorded. */
export interface TextPiece {
  position: number;
  timeMs: number;
  bytes: Uint8Array;
}

/** A section of a recording that ends at a line end, if there is one. */
export interface TextBlock {
  position: number;
  toPosition: number;
  pieces: TextPiece[];
}

/** The output of a recording in blocks. */
export async function* readTextBlocks(recording: RecordingReader): AsyncGenerator<TextBlock> {
  let pieces: TextPiece[] = [];
  let bytes = 0;
  for await (const event of recording.events()) {
    if (event.type !== "output") continue;
    pieces.push({ position: event.position, timeMs: event.timeMs, bytes: event.bytes });
    bytes += event.bytes.byteLength;
    const endsLine = event.bytes.at(-1) === 0x0a;
    // A full block is extended to the next line end, up to twice its size.
    if (bytes < BLOCK_BYTES || (!endsLine && bytes < 2 * BLOCK_BYTES)) continue;
    yield blockOf(pieces);
    pieces = [];
    bytes = 0;
  }
  if (pieces.length > 0) yield blockOf(pieces);
}

/** Reads one block again, given its entry in an index. */
export async function readTextBlock(
  recording: RecordingReader,
  { position, toPosition }: { position: number; toPosition: number },
): Promise<TextPiece[]> {
  const pieces: TextPiece[] = [];
  for await (const event of recording.events({ position })) {
    if (event.position >= toPosition) break;
    if (event.type !== "output") continue;
    pieces.push({
      position: event.position,
      timeMs: event.timeMs,
      bytes: event.bytes.subarray(0, toPosition - event.position),
    });
  }
  return pieces;
}

function blockOf(pieces: TextPiece[]): TextBlock {
  const [first, last] = [pieces[0], pieces.at(-1)];
  const toPosition = last ? last.position + last.bytes.byteLength : 0;
  return { position: first?.position ?? 0, toPosition, pieces };
}
