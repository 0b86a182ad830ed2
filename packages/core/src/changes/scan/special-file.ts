import type { BigIntStats, Stats } from "node:fs";
import type { OtherEntry } from "../entry.ts";

/** The kind of a pipe, a socket or a device, and a device's number. */
export function describeSpecialFile(stats: Stats | BigIntStats): Pick<OtherEntry, "type" | "kind" | "device"> {
  if (stats.isFIFO()) return { type: "other", kind: "pipe" };
  if (stats.isSocket()) return { type: "other", kind: "socket" };
  return { type: "other", kind: "device", device: Number(stats.rdev) };
}
