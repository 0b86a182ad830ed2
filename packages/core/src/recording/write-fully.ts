import type { FileHandle } from "node:fs/promises";

/** IOV_MAX on Linux and macOS. */
const MAX_PIECES = 1_024;

/** Repeats, because one call may write less than everything, and accepts only so many buffers. */
export async function writeFully(file: FileHandle, chunks: readonly Uint8Array[], position: number): Promise<void> {
  let rest = chunks;
  for (let at = position; rest.length > 0; ) {
    const { bytesWritten } = await file.writev(rest.slice(0, MAX_PIECES), at);
    at += bytesWritten;
    rest = skipBytes(rest, bytesWritten);
  }
}

function skipBytes(chunks: readonly Uint8Array[], byteLength: number): Uint8Array[] {
  let left = byteLength;
  const rest: Uint8Array[] = [];
  for (const chunk of chunks) {
    if (left < chunk.byteLength) rest.push(left > 0 ? chunk.subarray(left) : chunk);
    left = Math.max(0, left - chunk.byteLength);
  }
  return rest;
}
