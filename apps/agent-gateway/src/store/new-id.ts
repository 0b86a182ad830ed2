import { randomFillSync } from "node:crypto";
import { formatId, ID_RANDOM_BYTES } from "@belay/protocol";

type IdPrefix = Parameters<typeof formatId>[0];

/** How many characters of a command's id are its time: 40 bits of milliseconds, which begin again after 34 years. */
const TIME_CHARACTERS = 8;

/** Random bytes for the next ids: to ask for a few takes as long as to ask for many. */
const pool = new Uint8Array(256 * ID_RANDOM_BYTES);
let used = pool.byteLength;

export function newId<Prefix extends IdPrefix>(prefix: Prefix): `${Prefix}-${string}` {
  const bytes = takeRandom();
  // Every command adds its id to several indexes. Random ids would change a page of its own for each command, which is
  // written and later copied as a whole; in the order of their time they share pages.
  if (prefix === "cmd") writeTime(bytes);
  return formatId(prefix, bytes);
}

function takeRandom(): Uint8Array {
  if (used === pool.byteLength) {
    randomFillSync(pool);
    used = 0;
  }
  used += ID_RANDOM_BYTES;
  return pool.subarray(used - ID_RANDOM_BYTES, used);
}

function writeTime(bytes: Uint8Array): void {
  let rest = Date.now();
  for (let at = TIME_CHARACTERS - 1; at >= 0; at -= 1) {
    bytes[at] = rest % 32;
    rest = Math.floor(rest / 32);
  }
}
