/**
 * How well an entry of the palette fits what was typed, from 0 (not at all) to 1: every typed word must occur in it.
 *
 * Scattered letters do not count. Paths and ids contain enough of them to match almost any word, and Enter would then open
 * a folder where `freeze` was meant.
 */
export function matchWords(entry: string, typed: string): number {
  const text = entry.toLowerCase();
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  if (!words.every((word) => text.includes(word))) return 0;
  if (text.startsWith(words.join(" "))) return 1;
  const parts = text.split(/[^\p{L}\p{N}]+/u);
  const beginnings = words.filter((word) => parts.some((part) => part.startsWith(word)));
  return 0.2 + (0.6 * beginnings.length) / words.length;
}
