import { placeOfRow } from "@belay/protocol/row-number";

/** The number of a row, with its gateway's if that is not the only or the first one. */
export function formatRow(seq: number): string {
  const { gateway, row } = placeOfRow(seq);
  const number = row.toLocaleString();
  return gateway === 0 ? number : `${number} of gateway ${gateway}`;
}
