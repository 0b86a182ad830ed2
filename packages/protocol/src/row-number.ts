/**
 * Each gateway writes a chain of rows of its own, and numbers them in a range of its own: the first from 1 on, the next
 * from a trillion and one on. So a row's number alone says whose it is, and its hash covers that too.
 */
export const ROWS_PER_CHAIN = 1_000_000_000_000;

/** The rows of a gateway have numbers above `base`, up to `end`. */
export function chainOf(gateway: number): { base: number; end: number } {
  const base = gateway * ROWS_PER_CHAIN;
  return { base, end: base + ROWS_PER_CHAIN };
}

/** Whose row it is, and which of its rows. */
export function placeOfRow(seq: number): { gateway: number; row: number } {
  const gateway = Math.max(0, Math.ceil(seq / ROWS_PER_CHAIN) - 1);
  return { gateway, row: seq - gateway * ROWS_PER_CHAIN };
}

/** For people: `42`, or `2:42` for a row of gateway 2. */
export function formatRow(seq: number): string {
  const { gateway, row } = placeOfRow(seq);
  return gateway === 0 ? String(row) : `${gateway}:${row}`;
}
