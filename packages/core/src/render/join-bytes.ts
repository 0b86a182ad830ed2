/**
 * Joins chunks into one array with its own memory, which can be transferred to a thread:
 * `Buffer.concat` may share its memory with other buffers, which would lose theirs.
 */
export function joinBytes(chunks: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const joined = new Uint8Array(chunks.reduce((sum, chunk) => sum + chunk.byteLength, 0));
  let at = 0;
  for (const chunk of chunks) {
    joined.set(chunk, at);
    at += chunk.byteLength;
  }
  return joined;
}
