/** A time in a recording, as a player shows it. */
export function formatClock(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1_000));
  const two = (value: number) => String(value).padStart(2, "0");
  const hours = Math.floor(seconds / 3_600);
  const rest = `${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
  return hours > 0 ? `${hours}:${rest}` : rest;
}

/** To the millisecond, where seconds would not tell two moments apart. */
export function formatExactClock(ms: number): string {
  return `${formatClock(ms)}.${String(Math.floor(Math.max(0, ms)) % 1_000).padStart(3, "0")}`;
}
