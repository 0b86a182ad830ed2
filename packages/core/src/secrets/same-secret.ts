import { timingSafeEqual } from "node:crypto";

/** Compares two secrets in constant time, so that the time of a wrong guess says nothing about the right one. */
export function isSameSecret(left: string, right: string): boolean {
  const [a, b] = [Buffer.from(left), Buffer.from(right)];
  return a.byteLength === b.byteLength && timingSafeEqual(a, b);
}
