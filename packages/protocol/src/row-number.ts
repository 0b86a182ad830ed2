/**
 * Each gateway writes its own chain of rows and numbers them in its own range: the first from 1, the next from a
 * trillion and one. So a row's number alone says which gateway wrote it, and the row's hash covers the number.
 */
export const ROWS_PER_CHAIN = 1_000_000_000_000;

/** The rows of a gateway have numbers above `base`, up to `end`. */
export function chainOf(gateway: number): { base: number; end: number } {
  const base = gateway * ROWS_PER_CHAIN;
  return { base, end: base + ROWS_PER_CHAIN };
}

/** The gateway that wrote a row, and the row's number within that gateway. */
export function placeOfRow(seq: number): { gateway: number; row: number } {
  const gateway = Math.max(0, Math.ceil(seq / ROWS_PER_CHAIN) - 1);
  return { gateway, row: seq - gateway * ROWS_PER_CHAIN };
}

/** The number as people see it: `42`, or `2:42` for a row of gateway 2. */
export function formatRow(seq: number): string {
  const { gateway, row } = placeOfRow(seq);
  return gateway === 0 ? String(row) : `${gateway}:${row}`;
}
