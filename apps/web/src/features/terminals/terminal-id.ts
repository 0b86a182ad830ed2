import type { TerminalId } from "@belay/protocol";

/** Parses an id from an address; null if invalid. Without zod, because the schemas would double what the page loads first. */
export function parseTerminalId(text: string | null | undefined): TerminalId | null {
  return text && /^pty-[0-9a-z]{1,40}$/.test(text) ? (text as TerminalId) : null;
}
