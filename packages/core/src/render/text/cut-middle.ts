import { formatBytes } from "./summary.ts";

/** Cancels an escape sequence that may have been cut, and starts a line. */
const FRESH_LINE = "\x18\r\n";

/** At most `maxBytes` of raw output. Longer output is cut to its beginning and its end, with a notice in between. */
export function cutMiddle(bytes: Uint8Array, maxBytes: number): { pieces: Uint8Array[]; skippedBytes: number } {
  const skippedBytes = Math.max(0, bytes.byteLength - maxBytes);
  if (skippedBytes === 0) return { pieces: [bytes], skippedBytes };

  const headEnd = Math.ceil(maxBytes / 2);
  const notice = `${FRESH_LINE}… ${formatBytes(skippedBytes)} of raw output not rendered …\r\n`;
  return {
    pieces: [bytes.subarray(0, headEnd), Buffer.from(notice), bytes.subarray(headEnd + skippedBytes)],
    skippedBytes,
  };
}
