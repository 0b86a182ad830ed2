/** The size of the buffers for a flood: 16 reads of a terminal, a little less than one frame on the wire. */
export const SLAB_BYTES = 16 * 4095;
/** How many are kept for the next flood. */
const MAX_FREE = 64;

const free: Buffer[] = [];
/** The reference count of each slab, by its memory. */
const users = new WeakMap<ArrayBufferLike, number>();

/**
 * Reuses the buffers that floods are read into. A new one for every 64 KB would make the garbage
 * collector scan the whole heap every few megabytes, which costs more than reading them.
 *
 * The reader takes a slab. A receiver that needs its bytes after the call that delivered them must `keep`
 * them, and `letGo` of them later. A slab that is no longer kept is overwritten.
 */
export function takeSlab(): Buffer {
  const slab = free.pop() ?? Buffer.allocUnsafeSlow(SLAB_BYTES);
  users.set(slab.buffer, 1);
  return slab;
}

/** Returns the same bytes. Bytes that are not in a slab are never overwritten, so there is nothing to do for them. */
export function keep<Bytes extends Uint8Array>(bytes: Bytes): Bytes {
  const count = users.get(bytes.buffer);
  if (count !== undefined) users.set(bytes.buffer, count + 1);
  return bytes;
}

/** Call it once for every `takeSlab` and every `keep`. */
export function letGo(bytes: Uint8Array): void {
  const count = users.get(bytes.buffer);
  if (count === undefined) return;
  if (count > 1) {
    users.set(bytes.buffer, count - 1);
    return;
  }
  users.delete(bytes.buffer);
  if (free.length < MAX_FREE) free.push(Buffer.from(bytes.buffer));
}
