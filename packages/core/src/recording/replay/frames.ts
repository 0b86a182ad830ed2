import { readFile } from "node:fs/promises";
import type { TerminalId } from "@belay/protocol";
import { z } from "zod";
import { recordingPaths } from "../format.ts";

/** The distance between frames: as much as can be rendered while a person waits. */
export const FRAME_BYTES = 1_024 * 1_024;

/** The screen after this many bytes. */
export interface Frame {
  position: number;
  cols: number;
  rows: number;
  bytes: Uint8Array;
}

/** Which recording the frames were made from: redacting it changes its checksum. */
export const FramesHeader = z.object({ version: z.literal(1), rawSha256: z.string() });
const StoredFrame = z.object({ position: z.int(), cols: z.int(), rows: z.int(), bytes: z.base64() });

/** The last frame at or before a position; null if there is none that matches the recording's current content. */
export async function findFrame(
  dir: string,
  terminalId: TerminalId,
  { position, rawSha256 }: { position: number; rawSha256: string },
): Promise<Frame | null> {
  const text = await readFile(recordingPaths(dir, terminalId).frames, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return null;
    throw error;
  });
  const [header, ...lines] = text?.trimEnd().split("\n") ?? [];
  if (header === undefined || FramesHeader.safeParse(JSON.parse(header)).data?.rawSha256 !== rawSha256) return null;
  // From the end: each line is as long as a screen, so only the needed ones are parsed.
  for (const line of lines.reverse()) {
    const frame = StoredFrame.parse(JSON.parse(line));
    if (frame.position <= position) return { ...frame, bytes: Buffer.from(frame.bytes, "base64") };
  }
  return null;
}

export async function hasFrames(dir: string, terminalId: TerminalId, rawSha256: string): Promise<boolean> {
  const frame = await findFrame(dir, terminalId, { position: Number.MAX_SAFE_INTEGER, rawSha256 });
  return frame !== null;
}
