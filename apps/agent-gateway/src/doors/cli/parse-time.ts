import { InvalidArgumentError } from "commander";

const UNIT_MS = { m: 60_000, h: 3_600_000, d: 24 * 3_600_000 };
const AGO = /^(\d{1,6})([mhd])$/;

/** A moment in milliseconds: a date, a time, or how long ago. */
export function parseTime(value: string): number {
  const [, count, unit] = AGO.exec(value) ?? [];
  if (count && unit) return Date.now() - Number(count) * UNIT_MS[unit as keyof typeof UNIT_MS];
  const at = /^\d{4}-\d{2}-\d{2}/.test(value) ? Date.parse(value) : Number.NaN;
  if (Number.isNaN(at))
    throw new InvalidArgumentError("Enter a time such as 2026-01-31, 2026-01-31T12:00Z, or 7d for seven days ago.");
  return at;
}

/** A number of whole days: `90d`, or `90`. */
export function parseDays(value: string): number {
  const days = Number(/^(\d{1,5})d?$/.exec(value)?.[1]);
  if (!(days >= 1)) throw new InvalidArgumentError("Enter a number of days such as 90d.");
  return days;
}
