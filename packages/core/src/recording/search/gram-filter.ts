/** At most this many per block of text: 1/16 of its size. */
const MOST_WORDS = 4_096; // of 32 bits: 16 KB
const FEWEST_WORDS = 8;
const HASHES = 3;
/** How many groups are remembered while a filter is filled; a power of two. */
const RECENT_GRAMS = 16_384;
/** Folding stops at about this share of set bits: with more, the filter would match most texts. */
const FULL_SHARE = 0.25;

/**
 * Which groups of three characters a text contains, as a Bloom filter: it may answer "maybe" for a text that is absent,
 * but never "no" for one that is present. Case is ignored.
 *
 * The text itself cannot be read from it.
 */
export class GramFilter {
  readonly words: Uint32Array;

  constructor(words: Uint32Array) {
    this.words = words;
  }

  static of(text: string): GramFilter {
    const words = new Uint32Array(MOST_WORDS);
    const lower = text.toLowerCase();
    // Output repeats itself, so most groups were set a moment ago.
    const recent = new Int32Array(RECENT_GRAMS).map((_, slot) => ~slot);
    for (let at = 2; at < lower.length; at += 1) {
      const gram = gramAt(lower, at);
      const slot = gram & (RECENT_GRAMS - 1);
      if (recent[slot] === gram) continue;
      recent[slot] = gram;
      const first = mix(gram);
      const second = secondHash(gram);
      for (let round = 0; round < HASHES; round += 1) {
        const bit = bitOf(first, second, round);
        const word = (bit >>> 5) & (MOST_WORDS - 1);
        words[word] = (words[word] ?? 0) | (1 << (bit & 31));
      }
    }
    return new GramFilter(fold(words));
  }

  /** A text shorter than three characters has no groups, and may be anywhere. */
  mayContain(text: string): boolean {
    const mask = this.words.length - 1;
    const lower = text.toLowerCase();
    for (let at = 2; at < lower.length; at += 1) {
      const gram = gramAt(lower, at);
      const first = mix(gram);
      const second = secondHash(gram);
      for (let round = 0; round < HASHES; round += 1) {
        const bit = bitOf(first, second, round);
        if (((this.words[(bit >>> 5) & mask] ?? 0) & (1 << (bit & 31))) === 0) return false;
      }
    }
    return true;
  }
}

/** The three characters that end at this index. */
function gramAt(lower: string, at: number): number {
  return (
    Math.imul(lower.charCodeAt(at - 2), 0x9e3779b1) ^
    Math.imul(lower.charCodeAt(at - 1), 0x85ebca6b) ^
    Math.imul(lower.charCodeAt(at), 0xc2b2ae35)
  );
}

/** All hash functions are derived from two. */
function bitOf(first: number, second: number, round: number): number {
  return (first + Math.imul(round, second)) >>> 0;
}

function secondHash(gram: number): number {
  return mix(gram ^ 0x5bd1e995) | 1;
}

function mix(value: number): number {
  let mixed = value;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x7feb352d);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x846ca68b);
  return mixed ^ (mixed >>> 16);
}

/** Folds the upper half onto the lower; lookups use a shorter mask. So a short text takes little space. */
function fold(words: Uint32Array): Uint32Array {
  let folded = words;
  while (folded.length > FEWEST_WORDS) {
    const half = folded.length / 2;
    const next = folded.slice(0, half);
    for (let at = 0; at < half; at += 1) next[at] = (next[at] ?? 0) | (folded[half + at] ?? 0);
    if (countBits(next) > next.length * 32 * FULL_SHARE) break;
    folded = next;
  }
  return folded;
}

function countBits(words: Uint32Array): number {
  let count = 0;
  for (let word of words) for (; word !== 0; word &= word - 1) count += 1;
  return count;
}
