import { open, stat } from "node:fs/promises";
import type { TerminalId } from "@belay/protocol";
import type { RecordingPartRequest } from "../pool/requests.ts";
import { recordingPaths } from "./format.ts";
import { deleteRecording } from "./old-recordings.ts";
import { openRecording } from "./reader.ts";

/** A part of one of a recording's files, which only grow; null if there is no such file. */
export async function readRecordingPart(
  dir: string,
  id: TerminalId,
  { file, fromByte, maxBytes }: RecordingPartRequest,
): Promise<{ size: number; bytes: Uint8Array } | null> {
  const handle = await open(recordingPaths(dir, id)[file], "r").catch(() => null);
  if (!handle) return null;
  try {
    const { size } = await handle.stat();
    const buffer = Buffer.alloc(Math.max(0, Math.min(maxBytes, size - fromByte)));
    const { bytesRead } = await handle.read(buffer, 0, buffer.byteLength, fromByte);
    return { size, bytes: buffer.subarray(0, bytesRead) };
  } finally {
    await handle.close();
  }
}

/**
 * Deletes a finished recording of which all bytes have been copied elsewhere. False if it has not ended or has changed.
 */
export async function dropCopiedRecording(
  dir: string,
  id: TerminalId,
  copied: Record<"raw" | "index" | "gaps", number>,
): Promise<boolean> {
  const recording = await openRecording(dir, id);
  if (!recording) return true;
  const end = await recording.readEnd().finally(() => recording.close());
  const paths = recordingPaths(dir, id);
  for (const file of ["raw", "index", "gaps"] as const) {
    const size = (await stat(paths[file]).catch(() => null))?.size ?? 0;
    if (size !== copied[file]) return false;
  }
  if (end === null) return false;
  await deleteRecording(dir, id);
  return true;
}
