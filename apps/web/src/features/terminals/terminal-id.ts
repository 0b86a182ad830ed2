import type { TerminalId } from "@belay/protocol";

/** Parses an id from an address; null if invalid. Without zod, because the schemas would double what the page loads first. */
export function parseTerminalId(text: string | null | undefined): TerminalId | null {
  return text && /^pty-[0-9a-z]{1,40}$/.test(text) ? (text as TerminalId) : null;
}

/** More would be too small to read. */
export const MOST_PANES = 4;

/** The terminals that the address of a terminal's page names. */
export function idsInAddress(search: Pick<URLSearchParams, "getAll">): TerminalId[] {
  const ids = search.getAll("id").flatMap((id) => parseTerminalId(id) ?? []);
  return [...new Set(ids)].slice(0, MOST_PANES);
}
