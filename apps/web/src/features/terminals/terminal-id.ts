import type { TerminalId } from "@belay/protocol";

/** An id out of an address; null where it is none. By hand, because the schemas would double what the page loads first. */
export function parseTerminalId(text: string | null | undefined): TerminalId | null {
  return text && /^pty-[0-9a-z]{1,40}$/.test(text) ? (text as TerminalId) : null;
}
