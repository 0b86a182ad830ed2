const time = new Intl.DateTimeFormat(undefined, {
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
  hourCycle: "h23",
});
const day = new Intl.DateTimeFormat(undefined, { day: "2-digit", month: "short" });
const whole = new Intl.DateTimeFormat(undefined, {
  dateStyle: "medium",
  timeStyle: "long",
});

export function formatRowTime(at: number): { day: string; time: string } {
  return { day: day.format(at), time: time.format(at) };
}

/** With the zone, and to the millisecond: rows are often less than a second apart. */
export function formatExact(at: number): string {
  return `${whole.format(at)} (${String(at % 1000).padStart(3, "0")} ms)`;
}

/** The time zone of all times on the page. */
export function zoneName(): string {
  const parts = new Intl.DateTimeFormat(undefined, { timeZoneName: "short" }).formatToParts(Date.now());
  return parts.find(({ type }) => type === "timeZoneName")?.value ?? "local";
}
